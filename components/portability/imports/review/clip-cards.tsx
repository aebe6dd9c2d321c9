import {
  type Dispatch,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { keyOf } from '@/components/ui/key-of';
import { type CardProps, ClipCard } from './clip-card';
import { type ReviewAction, type ReviewState, rowOf } from './review-state';

/** How the items of a list are laid out, in pixels. */
interface RowLayout {
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
function useWindowRows(count: number, { rowHeight, minColumn, gap }: RowLayout, keep: number) {
  const list = useRef<HTMLUListElement>(null);
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

/** The layouts of the cards: `h-26`, and from Tailwind's `sm` on, `h-64`. */
const LIST: RowLayout = { rowHeight: 104, minColumn: null, gap: 0 };
const GRID: RowLayout = { rowHeight: 280, minColumn: 240, gap: 24 };

/** Returns the index that a key moves to; null if it doesn't. */
function findTarget(event: KeyboardEvent, at: number, count: number, columns: number): number | null {
  const to = {
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: count - 1,
  }[keyOf(event)];
  return to === undefined ? null : Math.max(0, Math.min(to, count - 1));
}

/** Selects all rows that are shown, or none. Half checked if some are selected. */
function SelectAll({
  state: { shown, selected },
  dispatch,
}: {
  state: ReviewState;
  dispatch: Dispatch<ReviewAction>;
}) {
  const isAll = shown.length > 0 && selected.size === shown.length;
  return (
    <label className="flex min-h-11 min-w-11 cursor-pointer items-center text-14 font-semibold">
      <span className="grid size-11 shrink-0 place-items-center">
        <input
          ref={(input) => {
            if (input) input.indeterminate = selected.size > 0 && !isAll;
          }}
          type="checkbox"
          checked={isAll}
          onChange={() => dispatch({ type: isAll ? 'clear' : 'select_all' })}
          className="size-5 cursor-pointer accent-accent"
        />
      </span>
      Select all
    </label>
  );
}

/**
 * The clips as cards with one tab stop, in a grid that scrolls with the page, or on narrow screens in a list. Only those
 * near the window are rendered, and the one with the focus. Pressing one opens it for editing.
 */
export function ClipCards({
  state,
  dispatch,
  isWide,
  ...shared
}: CardProps & { state: ReviewState; dispatch: Dispatch<ReviewAction>; isWide: boolean }) {
  const { shown, selected } = state;
  const count = shown.length;
  const layout = isWide ? GRID : LIST;
  const [active, setActive] = useState<{ index: number; focus: 'input' | 'button' | null }>({
    index: 0,
    focus: null,
  });
  const at = Math.min(active.index, count - 1);
  const { list, columns, indexes } = useWindowRows(count, layout, at);

  const focusCard = useEffectEvent(() => {
    const card = active.focus && list.current?.querySelector(`[data-index="${at}"]`);
    if (!card) return;
    card.querySelector<HTMLElement>(active.focus ?? '')?.focus({ preventScroll: true });
    card.scrollIntoView({ block: 'nearest' });
  });
  // Only a key moves the focus.
  useLayoutEffect(() => focusCard(), [active]);

  function press(event: KeyboardEvent) {
    const { ctrlKey, metaKey, altKey, target } = event;
    if (altKey) return;
    const isSelectAll = keyOf(event) === 'a' && (ctrlKey || metaKey);
    const to = ctrlKey || metaKey ? null : findTarget(event, at, count, columns);
    if (isSelectAll || to !== null) event.preventDefault();
    if (isSelectAll) dispatch({ type: 'select_all' });
    if (to !== null) setActive({ index: to, focus: target instanceof HTMLInputElement ? 'input' : 'button' });
  }

  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-4 pb-2">
        <SelectAll state={state} dispatch={dispatch} />
        <p className="text-13 text-ink-3">To select a range, hold Shift, or press and hold the last clip.</p>
      </div>
      <ul
        ref={list}
        aria-label="Clips"
        className="relative max-sm:border-t max-sm:border-line"
        style={{ height: Math.ceil(count / columns) * layout.rowHeight - layout.gap }}
        onKeyDown={press}
        onFocus={({ target }) => {
          const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? at);
          if (index !== at) setActive({ index, focus: null });
        }}
      >
        {indexes.map((index) => {
          const row = rowOf(state, shown[index] ?? '');
          return (
            row && (
              <ClipCard
                key={row.id}
                row={row}
                index={index}
                count={count}
                top={Math.floor(index / columns) * layout.rowHeight}
                left={`calc(${index % columns} * (100% + ${layout.gap}px) / ${columns})`}
                width={`calc((100% + ${layout.gap}px) / ${columns} - ${layout.gap}px)`}
                isSelected={selected.has(row.id)}
                isTabStop={index === at}
                dispatch={dispatch}
                {...shared}
              />
            )
          );
        })}
      </ul>
    </div>
  );
}
