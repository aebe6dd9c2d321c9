import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** How the items of a list are laid out, in pixels. */
export interface RowLayout {
  /** The height of a row, with the gap below it. */
  rowHeight: number;
  /** The least width of a column; null for one column. */
  minColumn: number | null;
  /** The gap between columns. */
  gap: number;
}

/** How much outside the window is rendered on each side, in pixels. */
const OVERSCAN = 600;

/** The range moves by this many rows at a time, so that most scroll events render nothing. */
const STEP = 2;

/** Rendered before anything is measured. */
const FIRST_RANGE = { columns: 1, first: 0, last: 12 };

/**
 * Returns which items to render of a long list that scrolls with the page, in how many columns, and the ref for the list.
 * All rows have the same height, so nothing is measured while scrolling.
 * @param keep the index of an item that's rendered wherever the page is, since it may have the focus
 */
export function useWindowRows<List extends HTMLElement>(
  count: number,
  { rowHeight, minColumn, gap }: RowLayout,
  keep: number,
): { list: RefObject<List | null>; columns: number; indexes: readonly number[] } {
  const list = useRef<List>(null);
  const measured = useRef({ top: 0, height: 0, columns: 1 });
  const [range, setRange] = useState(FIRST_RANGE);

  const update = useEffectEvent(() => {
    const { top, height, columns } = measured.current;
    const from = window.scrollY - top - OVERSCAN;
    const first = Math.max(0, Math.floor(from / rowHeight / STEP) * STEP);
    const last = Math.max(first, Math.ceil((from + height + 2 * OVERSCAN) / rowHeight / STEP) * STEP);
    setRange((before) =>
      before.columns === columns && before.first === first && before.last === last
        ? before
        : { columns, first, last },
    );
  });
  const measure = useEffectEvent(() => {
    const { top = 0, width = 0 } = list.current?.getBoundingClientRect() ?? {};
    const columns = minColumn === null ? 1 : Math.max(1, Math.floor((width + gap) / (minColumn + gap)));
    measured.current = { top: top + window.scrollY, height: window.innerHeight, columns };
    update();
  });

  // These change the page's height.
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

  const { columns } = range;
  const first = range.first * columns;
  const last = Math.min(range.last * columns, count);
  const indexes = useMemo(() => {
    const shown = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset);
    if (keep >= count || (keep >= first && keep < last)) return shown;
    return keep < first ? [keep, ...shown] : [...shown, keep];
  }, [first, last, keep, count]);
  return { list, columns, indexes };
}
