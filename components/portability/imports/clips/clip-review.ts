import { untitled } from '@/components/capture/uploads/video-file/file-date';
import type { KeptHandle } from '@/components/portability/imports/chosen-files';
import type { PlanUsage } from '@/components/portability/imports/plan-import';
import type { ReviewRow } from '@/components/portability/imports/review/review-row';
import type { Clip, ReadClips } from '@/components/portability/imports/sources/read-clips';
import { formatUsDate, fromIso } from '@/lib/journal/entries/shared/calendar';

/** What a clip seems to be a copy of. */
export interface Duplicate {
  /** `journal`: of an entry. `chosen`: of another clip. */
  of: 'journal' | 'chosen';
  title: string;
  /** `YYYY-MM-DD`; null if the clip has none. */
  date: string | null;
  /** Whether all bytes are the same. Otherwise, they have the same size, length, and start. */
  isSame: boolean;
}

/** Clips that the user has to look at first. */
export interface ClipReview extends Omit<ReadClips, 'ignored'> {
  handles: readonly KeptHandle[];
  /** By the clip's id. */
  duplicates: ReadonlyMap<string, Duplicate>;
  /** Why a clip can't be imported, by its id. */
  problems: ReadonlyMap<string, string>;
  /** Files that look like videos and can't be read. */
  refused: ReadClips['ignored'];
  usage: PlanUsage;
}

/** What a person decided about a clip. */
interface ClipValues {
  title: string;
  /** Whether the title is only a day, which the first words said replace once they're known. */
  titleFromWords: boolean;
  /** `YYYY-MM-DD` */
  date: string;
  /** Names. */
  tags: readonly string[];
}

/** What a person decided about a clip, with the clip's id. */
export type IdentifiedValues = ClipValues & { id: string };

/** A clip that's going to be imported. */
export interface ChosenClip {
  clip: Clip;
  values: ClipValues;
}

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
  const { id, file, seconds, title, date, tags, isLivePhoto } = clip;
  const duplicate = duplicates.get(id);
  const problem = problems.get(id) ?? null;
  return {
    ...{ id, title, seconds, tags, problem, isLivePhoto },
    name: file.name,
    path: file.path.split('/').slice(0, -1).join('/'),
    bytes: file.size,
    date: formatIso(date.date),
    source: date.source,
    warning: date.warning,
    others: date.others.map((other) => ({ date: formatIso(other.date), source: other.source })),
    duplicate: duplicate ? describeDuplicate(duplicate) : null,
    isIncluded: !duplicate && problem === null && !isLivePhoto,
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
