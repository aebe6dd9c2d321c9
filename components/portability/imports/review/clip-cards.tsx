import { type Dispatch, type KeyboardEvent, useEffectEvent, useLayoutEffect, useState } from 'react';
import { type CardProps, ClipCard } from './clip-card';
import { type ReviewAction, type ReviewState, rowOf } from './review-state';
import { SelectAll } from './select-all';
import { type RowLayout, useWindowRows } from './use-window-rows';

/** The layouts of the cards: `h-26`, and from Tailwind's `sm` on, `h-64`. */
const LIST: RowLayout = { rowHeight: 104, minColumn: null, gap: 0 };
const GRID: RowLayout = { rowHeight: 280, minColumn: 240, gap: 24 };

/** Returns the index that a key moves to; null if it doesn't. */
function findTarget({ key }: KeyboardEvent, at: number, count: number, columns: number): number | null {
  const to = {
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? null : Math.max(0, Math.min(to, count - 1));
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
  const { list, columns, indexes } = useWindowRows<HTMLUListElement>(count, layout, at);

  const focusCard = useEffectEvent(() => {
    const card = active.focus && list.current?.querySelector(`[data-index="${at}"]`);
    if (!card) return;
    card.querySelector<HTMLElement>(active.focus ?? '')?.focus({ preventScroll: true });
    card.scrollIntoView({ block: 'nearest' });
  });
  // Only a key moves the focus.
  useLayoutEffect(() => focusCard(), [active]);

  function press(event: KeyboardEvent) {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (altKey) return;
    const isSelectAll = key.toLowerCase() === 'a' && (ctrlKey || metaKey);
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
