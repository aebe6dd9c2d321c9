import { untitled } from '@/components/capture/uploads/video-file/file-date';
import type { ReviewRow } from '@/components/portability/imports/review/review-row';
import type { Clip } from '@/components/portability/imports/sources/read-clips';
import { formatUsDate, fromIso } from '@/lib/journal/entries/shared/calendar';
import type { ChosenClip } from './chosen-clip';
import type { ClipReview, Duplicate } from './clip-review';

/** Returns a date as people read it; '' if there's none. */
function formatIso(date: string | null): string {
  const day = date === null ? null : fromIso(date);
  return day ? formatUsDate(day) : '';
}

function describeDuplicate({ of, title, date, isSame }: Duplicate): string {
  const other = date === null ? `“${title}”` : `“${title}”, ${formatIso(date)}`;
  if (of === 'journal') return `${isSame ? 'Already' : 'Seems to be'} in your journal: ${other}.`;
  return `${isSame ? 'The same video as' : 'Seems to be the same as'} ${other}.`;
}

function rowOf(clip: Clip, { duplicates, problems }: ClipReview): ReviewRow {
  const { id, file, seconds, title, date, tags } = clip;
  const duplicate = duplicates.get(id);
  const problem = problems.get(id) ?? null;
  return {
    ...{ id, title, seconds, tags, problem },
    name: file.name,
    path: file.path.split('/').slice(0, -1).join('/'),
    bytes: file.size,
    date: formatIso(date.date),
    source: date.source,
    warning: date.warning,
    others: date.others.map((other) => ({ date: formatIso(other.date), source: other.source })),
    duplicate: duplicate ? describeDuplicate(duplicate) : null,
    isIncluded: !duplicate && problem === null,
  };
}

/** Returns the rows in which a person looks at clips. */
export const toReviewRows = (review: ClipReview): ReviewRow[] =>
  review.clips.map((clip) => rowOf(clip, review));

/**
 * Returns the clips of rows, with what the user decided. A title that's only a day follows the date.
 * @param rows whose dates and titles are valid; each has the date `YYYY-MM-DD`
 */
export function toChosenClips(
  { clips }: ClipReview,
  rows: readonly (Pick<ReviewRow, 'id' | 'title' | 'tags'> & { date: string })[],
): ChosenClip[] {
  const found = new Map(clips.map((clip) => [clip.id, clip]));
  return rows.flatMap(({ id, title, date, tags }) => {
    const clip = found.get(id);
    if (!clip) return [];
    const titleFromWords = !clip.isTitleTelling && title === clip.title;
    const day = titleFromWords ? fromIso(date) : null;
    return [{ clip, values: { title: day ? untitled(day) : title, titleFromWords, date, tags } }];
  });
}
