import { Flag } from 'lucide';
import { type Dispatch, memo, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { TagDot } from '@/components/ui/tag-dot';
import type { Tag } from '@/lib/journal/tags/contract';
import { describeSource, describeStatus, STATUS_COLORS } from './describe-row';
import { checkDate, type ReviewRow } from './review-row';
import { type ReviewAction, type ReviewState, rowOf } from './review-state';
import { asTags } from './review-tags';
import { SelectAll } from './select-all';
import { useWindowRows } from './use-window-rows';

/** The height of a card in pixels; `h-26`. */
const CARD_HEIGHT = 104;

/** A clip in the list. It's rendered again only when it or its selection changes. */
const ClipCard = memo(function ClipCard({
  row,
  index,
  count,
  isSelected,
  knownTags,
  dispatch,
  onOpen,
}: {
  row: ReviewRow;
  /** Its place among the rows that are shown. */
  index: number;
  /** How many are shown. */
  count: number;
  isSelected: boolean;
  knownTags: ReadonlyMap<string, Tag>;
  dispatch: Dispatch<ReviewAction>;
  onOpen: (id: string) => void;
}) {
  const status = describeStatus(row);
  const isUnsure = row.warning !== null || checkDate(row.date) !== null;
  return (
    <li
      aria-setsize={count}
      aria-posinset={index + 1}
      data-index={index}
      style={{ transform: `translateY(${index * CARD_HEIGHT}px)` }}
      className={`absolute inset-x-0 top-0 flex h-26 items-center border-b border-line contain-strict ${isSelected ? 'bg-accent-soft' : ''}`}
    >
      <label className="grid size-11 shrink-0 cursor-pointer place-items-center">
        <span className="sr-only">Select {row.title || row.name}</span>
        <input
          type="checkbox"
          checked={isSelected}
          onChange={() => dispatch({ type: 'toggle', id: row.id })}
          className="size-5 accent-accent"
        />
      </label>
      <button
        type="button"
        onClick={() => onOpen(row.id)}
        className="flex h-full min-w-0 grow flex-col justify-center rounded-8 px-2 text-left focus-visible:-outline-offset-3"
      >
        <span
          className={`block max-w-full truncate text-15 font-semibold ${row.isIncluded ? '' : 'text-ink-3'}`}
        >
          {row.title || 'No title'}
        </span>
        <span className="flex max-w-full items-center gap-1.5 text-14 text-ink-2 tabular-nums">
          {row.date || 'No date'}
          {isUnsure && (
            <>
              <Icon of={Flag} className="size-4 shrink-0 text-warn" aria-hidden="true" />
              <span className="sr-only">Check this date.</span>
            </>
          )}
          {row.date && <span className="truncate text-13 text-ink-3">{describeSource(row.source)}</span>}
        </span>
        {status ? (
          <span className={`line-clamp-2 text-13 ${STATUS_COLORS[status.tone]}`}>{status.text}</span>
        ) : (
          <span className="flex h-6 max-w-full flex-wrap items-center gap-x-3 overflow-hidden">
            {asTags(row.tags, knownTags).map(({ id, name, color }) => (
              <TagDot key={id} name={name} color={color} />
            ))}
          </span>
        )}
      </button>
    </li>
  );
});

/** The clips as a list for narrow screens. Pressing one opens it for editing. */
export function ClipCards({
  state,
  dispatch,
  knownTags,
  onOpen,
}: {
  state: ReviewState;
  dispatch: Dispatch<ReviewAction>;
  knownTags: ReadonlyMap<string, Tag>;
  /** The same function every time. */
  onOpen: (id: string) => void;
}) {
  const { shown, selected } = state;
  /** The index of the card with the focus, which stays when it's scrolled away. */
  const [focused, setFocused] = useState(-1);
  const { list, indexes } = useWindowRows<HTMLUListElement>(shown.length, CARD_HEIGHT, focused);
  return (
    <div>
      <SelectAll state={state} dispatch={dispatch} label="Select all" />
      <ul
        ref={list}
        aria-label="Clips"
        className="relative border-t border-line"
        style={{ height: shown.length * CARD_HEIGHT }}
        onFocus={({ target }) => {
          const card = target.closest<HTMLElement>('[data-index]');
          setFocused(card ? Number(card.dataset['index']) : -1);
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
                count={shown.length}
                isSelected={selected.has(row.id)}
                knownTags={knownTags}
                dispatch={dispatch}
                onOpen={onOpen}
              />
            )
          );
        })}
      </ul>
    </div>
  );
}
