import { selectDaySeconds } from '@/lib/journal/entries/day-seconds';
import type { GalleryFilter } from '@/lib/journal/entries/gallery-queries';
import { presentSummary, readEntryCursor, writeEntryCursor } from '@/lib/journal/entries/service';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { getHighlights } from '@/lib/journal/highlights/service';
import type { Timeline, TimelineDay } from './contract';
import { matchFilter, type Stretch, selectMatchingDays, selectMonths, selectStretch } from './queries';

/** Which part of the timeline to show: the newest unless it says otherwise. */
export interface TimelinePlace {
  before?: string | undefined;
  after?: string | undefined;
  /** `YYYY-MM-DD` */
  at?: string | undefined;
}

type Rows = Awaited<ReturnType<typeof selectStretch>>;

/** The rows, newest first, and whether there are more. */
interface Part {
  rows: Rows;
  hasEarlier: boolean;
  hasLater: boolean;
}

async function readPart(
  matches: Awaited<ReturnType<typeof matchFilter>>,
  { before, after, at }: TimelinePlace,
  limit: number,
): Promise<Part> {
  const select = (stretch: Stretch) => selectStretch(matches, stretch, limit + 1);
  if (after !== undefined) {
    const rows = await select({ after: readEntryCursor(after, 'after') });
    return {
      rows: rows.slice(0, limit).reverse(),
      hasEarlier: true,
      hasLater: rows.length > limit,
    };
  }
  if (before !== undefined) {
    const rows = await select({ before: readEntryCursor(before, 'before') });
    return { rows: rows.slice(0, limit), hasEarlier: rows.length > limit, hasLater: true };
  }
  if (at === undefined) {
    const rows = await select({});
    return { rows: rows.slice(0, limit), hasEarlier: rows.length > limit, hasLater: false };
  }
  const [older, newer] = await Promise.all([select({ upTo: at }), select({ after: at })]);
  // Nothing that old: begin with the oldest.
  const rows = older.length > 0 ? older.slice(0, limit) : newer.slice(0, limit).reverse();
  return {
    rows,
    hasEarlier: older.length > limit,
    hasLater: older.length > 0 ? newer.length > 0 : newer.length > limit,
  };
}

/**
 * Returns a part of the timeline, newest first, with each entry's best sentence and the sums of its months.
 * @throws AppError `validation_failed` for a cursor that isn't one
 */
export async function getTimeline(
  userId: string,
  { limit, before, after, at, ...filter }: GalleryFilter & TimelinePlace & { limit: number },
): Promise<Timeline> {
  const matches = await matchFilter(userId, filter);
  const { rows, ...more } = await readPart(matches, { before, after, at }, limit);
  const [newest, oldest] = [rows[0], rows.at(-1)];
  if (!newest || !oldest) return { rows: [], months: [], ...more };
  const [highlights, months] = await Promise.all([
    getHighlights(
      userId,
      rows.map(({ id }) => id),
    ),
    selectMonths(matches, oldest.date.slice(0, 7), newest.date.slice(0, 7)),
  ]);
  return {
    rows: rows.map((row) => ({
      cursor: writeEntryCursor(row),
      entry: presentSummary(row),
      words: highlights.get(row.id) ?? [],
      notes: row.notes,
    })),
    months,
    ...more,
  };
}

/** Returns the days of a year that have entries, oldest first, and whether they fit a filter. */
export async function getTimelineDays(
  userId: string,
  year: number,
  filter: GalleryFilter,
): Promise<TimelineDay[]> {
  const isFiltered = Boolean(filter.tag?.length || filter.month || filter.notes);
  const [days, matching] = await Promise.all([
    selectDaySeconds(userId, toIso({ year, month: 1, day: 1 }), toIso({ year, month: 12, day: 31 })),
    isFiltered ? selectMatchingDays(await matchFilter(userId, filter), year) : null,
  ]);
  const matches = matching && new Set(matching.map(({ day }) => day));
  return days.map((one) => ({ ...one, matches: matches?.has(one.day) ?? true }));
}
