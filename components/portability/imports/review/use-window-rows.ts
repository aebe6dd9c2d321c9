import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** How many rows outside the window are rendered on each side. */
const OVERSCAN = 8;

/** The range moves by this many rows at a time, so that most scroll events render nothing. */
const STEP = 4;

/** Rendered before anything is measured. */
const FIRST_RANGE = { first: 0, last: 24 };

/**
 * Returns which rows to render of a long list that scrolls with the page, and the ref for the list. All rows have the
 * same height in pixels, so nothing is measured while scrolling.
 * @param keep the index of a row that's rendered wherever the page is, since it may have the focus; -1 if there's none
 */
export function useWindowRows<List extends HTMLElement>(
  count: number,
  rowHeight: number,
  keep: number,
): { list: RefObject<List | null>; indexes: readonly number[] } {
  const list = useRef<List>(null);
  const measured = useRef({ top: 0, height: 0 });
  const [range, setRange] = useState(FIRST_RANGE);

  const update = useEffectEvent(() => {
    const { top, height } = measured.current;
    const from = (window.scrollY - top) / rowHeight;
    const first = Math.max(0, Math.floor((from - OVERSCAN) / STEP) * STEP);
    const last = Math.max(first, Math.ceil((from + height / rowHeight + OVERSCAN) / STEP) * STEP);
    setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
  });
  const measure = useEffectEvent(() => {
    const top = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    measured.current = { top, height: window.innerHeight };
    update();
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: these change the page's height
  useLayoutEffect(() => measure(), [count, rowHeight]);
  useEffect(() => {
    const scroll = () => update();
    const resize = () => measure();
    // Whatever is above the list may grow, which changes the height of the page.
    const observer = new ResizeObserver(resize);
    observer.observe(document.body);
    window.addEventListener('scroll', scroll, { passive: true });
    window.addEventListener('resize', resize);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', scroll);
      window.removeEventListener('resize', resize);
    };
  }, []);

  const { first } = range;
  const last = Math.min(range.last, count);
  const indexes = useMemo(() => {
    const shown = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
    if (keep < 0 || keep >= count || (keep >= first && keep < last)) return shown;
    return keep < first ? [keep, ...shown] : [...shown, keep];
  }, [first, last, keep, count]);
  return { list, indexes };
}
