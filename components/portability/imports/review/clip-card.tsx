import { Flag } from 'lucide';
import { type CSSProperties, type Dispatch, type MouseEvent, memo } from 'react';
import { DurationBadge } from '@/components/journal/entries/duration-badge';
import { useLongPress } from '@/components/journal/selection/use-long-press';
import { ClipPicture } from '@/components/portability/imports/clips/clip-picture';
import type { Clip } from '@/components/portability/imports/sources/read-clips';
import { Icon } from '@/components/ui/icon';
import { TagDot } from '@/components/ui/tag-dot';
import type { Tag } from '@/lib/journal/tags/contract';
import { describeSource, describeStatus } from './describe-row';
import { checkDate, type ReviewRow } from './review-row';
import type { ReviewAction } from './review-state';
import { asTags } from './review-tags';

/** What the cards of a list have in common. The same values until something changes for all of them. */
export interface CardProps {
  knownTags: ReadonlyMap<string, Tag>;
  dispatch: Dispatch<ReviewAction>;
  /** By their ids. */
  clips: ReadonlyMap<string, Clip>;
  onOpen: (id: string) => void;
}

/** Says where a date is from, and flags one that should be checked. */
function CardDate({ row: { date, source, warning } }: { row: ReviewRow }) {
  return (
    <span className="flex max-w-full items-center gap-1.5 text-14 text-ink-2 tabular-nums">
      <span>{date || 'No date'}</span>
      {(warning !== null || checkDate(date) !== null) && (
        <>
          <Icon of={Flag} className="size-4 shrink-0 text-warn" aria-hidden="true" />
          <span className="sr-only">Check this date.</span>
        </>
      )}
      {date && <span className="truncate text-13 text-ink-3">{describeSource(source)}</span>}
    </span>
  );
}

/** A clip in the list. It's rendered again only when it changes, or is selected, focused, or moved. */
export const ClipCard = memo(function ClipCard({
  row,
  index,
  count,
  top,
  left,
  width,
  isSelected,
  isTabStop,
  knownTags,
  dispatch,
  clips,
  onOpen,
}: CardProps & {
  row: ReviewRow;
  /** Its place among the rows that are shown. */
  index: number;
  /** How many are shown. */
  count: number;
  /** In pixels. */
  top: number;
  left: CSSProperties['left'];
  width: CSSProperties['width'];
  isSelected: boolean;
  isTabStop: boolean;
}) {
  const { id, title, name, seconds, isIncluded } = row;
  const clip = clips.get(id);
  const status = describeStatus(row);
  const tabIndex = isTabStop ? 0 : -1;
  const longPress = useLongPress(() => dispatch({ type: 'extend', id }));

  function press({ shiftKey }: MouseEvent) {
    if (longPress.consumeClick()) return;
    if (shiftKey) dispatch({ type: 'extend', id });
    else onOpen(id);
  }

  return (
    <li
      aria-setsize={count}
      aria-posinset={index + 1}
      data-index={index}
      data-picked={isSelected || undefined}
      style={{ left, width, transform: `translateY(${top}px)` }}
      className="absolute top-0 flex h-26 scroll-mt-20 scroll-mb-40 items-center [contain:size_layout_style] max-sm:border-b max-sm:border-line max-sm:data-picked:bg-accent-soft sm:h-64"
    >
      <label className="grid size-11 shrink-0 cursor-pointer place-items-center sm:absolute sm:top-1 sm:left-1 sm:z-10">
        <span className="sr-only">Select {title || name}</span>
        <input
          type="checkbox"
          tabIndex={tabIndex}
          checked={isSelected}
          onChange={({ nativeEvent }) => {
            const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true;
            dispatch({ type: isRange ? 'extend' : 'toggle', id });
          }}
          className="size-6 cursor-pointer accent-accent sm:shadow-md"
        />
      </label>
      <button
        type="button"
        tabIndex={tabIndex}
        {...longPress.handlers}
        onClick={press}
        className="group flex h-full min-w-0 grow items-center gap-3 rounded-12 text-left select-none [-webkit-touch-callout:none] focus-visible:-outline-offset-3 sm:flex-col sm:items-stretch sm:gap-2"
      >
        <span className="flex min-w-0 grow flex-col items-start">
          <span
            dir="auto"
            className={`block max-w-full truncate text-15 font-semibold group-hover:underline ${isIncluded ? '' : 'text-ink-3'}`}
          >
            {title || 'No title'}
          </span>
          <CardDate row={row} />
          {status ? (
            <span className={`line-clamp-2 text-13 ${status.color}`}>{status.text}</span>
          ) : (
            <span className="flex h-6 max-w-full flex-wrap items-center gap-x-3 overflow-hidden">
              {asTags(row.tags, knownTags).map((tag) => (
                <TagDot key={tag.id} name={tag.name} color={tag.color} />
              ))}
            </span>
          )}
        </span>
        <span className="relative -order-1 block h-16 w-28 shrink-0 overflow-hidden rounded-8 bg-sunken ring-1 ring-line in-data-picked:ring-3 in-data-picked:ring-accent sm:h-40 sm:w-full sm:rounded-12">
          <span className={`block size-full ${isIncluded ? '' : 'opacity-40'}`}>
            {clip && <ClipPicture file={clip.file} />}
          </span>
          {seconds !== null && (
            <span className="absolute right-1 bottom-1 sm:right-2 sm:bottom-2">
              <DurationBadge seconds={seconds} />
            </span>
          )}
        </span>
      </button>
    </li>
  );
});
