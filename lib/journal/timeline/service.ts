import { and, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { anyOf, arrayOf } from '@/db/any-of';
import { db } from '@/db/client';
import { entries, entryTags } from '@/db/schema/entries';
import { type Cursor, readEntryCursor, writeEntryCursor } from '@/lib/journal/entries/cursor';
import { type GalleryFilter, matchesFilter } from '@/lib/journal/entries/gallery-queries';
import { selectDaySeconds } from '@/lib/journal/entries/pace';
import { newestFirst, oldestFirst, placeAt, placeOfEntry } from '@/lib/journal/entries/queries';
import { presentSummary, summaryColumns } from '@/lib/journal/entries/service';
import { getHighlights } from '@/lib/journal/highlights/service';
import type { listTimeline, Timeline, TimelineDay } from './contract';

/**
 * Where a part of the timeline begins: newest first at a cursor or a day (`YYYY-MM-DD`, included), or oldest first at a
 * cursor or after a day.
 */
type Stretch = { before?: Cursor; upTo?: string | undefined } | { after: Cursor | string };

function isInStretch(stretch: Stretch): SQL | undefined {
  if ('after' in stretch) {
    const { after } = stretch;
    return typeof after === 'string'
      ? sql`${entries.date} > ${after}::date`
      : sql`(${placeOfEntry}) > ${placeAt(after)}`;
  }
  if (stretch.before) return sql`(${placeOfEntry}) < ${placeAt(stretch.before)}`;
  return stretch.upTo ? sql`${entries.date} <= ${stretch.upTo}::date` : undefined;
}

/** Tags with fewer entries than this are rare. */
const RARE = 200;

async function hasRareTag(tag: readonly string[]): Promise<boolean> {
  const found = await db().execute(sql`
    select from unnest(${arrayOf(entryTags.tagId, tag)}) as given (id)
    where not exists (select from entry_tags where tag_id = given.id offset ${RARE - 1}) limit 1`);
  return found.length > 0;
}

/**
 * Returns what selects the entries that a filter leaves. They're read from the index `entries_newest`, up to the limit.
 * If one of the tags is rare, that could be the whole journal, so an array makes Postgres start from the tags' entries.
 */
async function matchFilter(userId: string, filter: GalleryFilter): Promise<SQL | undefined> {
  const { tag = [], ...rest } = filter;
  if (tag.length === 0 || !(await hasRareTag(tag))) return matchesFilter(userId, filter);
  const tagged = sql`select entry_tags.entry_id from entry_tags where ${anyOf(entryTags.tagId, tag)}
    group by entry_tags.entry_id having count(*) = ${new Set(tag).size}::int`;
  return and(matchesFilter(userId, rest), sql`${entries.id} = any(array(${tagged}))`);
}

/** Selects entries of a stretch, in the stretch's order. @param matches what {@link matchFilter} returned */
function selectStretch(matches: SQL | undefined, stretch: Stretch, limit: number) {
  return db()
    .select({
      ...summaryColumns,
      question: entries.question,
      language: entries.language,
      notes: sql<number>`(select count(*)::int from notes where notes.entry_id = entries.id)`.as('notes'),
    })
    .from(entries)
    .where(and(matches, isInStretch(stretch)))
    .orderBy(...('after' in stretch ? oldestFirst : newestFirst))
    .limit(limit);
}

/** Adds up the months from one to another, both included (`YYYY-MM`), newest first. */
function selectMonths(matches: SQL | undefined, from: string, to: string) {
  const month = sql<string>`to_char(${entries.date}, 'YYYY-MM')`;
  return db()
    .select({
      month,
      entries: sql<number>`count(*)::int`,
      seconds: sql<number>`coalesce(sum(${entries.durationMs}), 0)::float8 / 1000`,
    })
    .from(entries)
    .where(
      and(
        matches,
        sql`${entries.date} >= ${`${from}-01`}::date and ${entries.date} < ${`${to}-01`}::date + interval '1 month'`,
      ),
    )
    .groupBy(month)
    .orderBy(sql`${month} desc`);
}

/** Which part of the timeline to show: the newest unless it says otherwise. */
type TimelinePlace = Pick<z.output<typeof listTimeline.query>, 'before' | 'after' | 'at'>;

/** Reads a part of the timeline, newest first, and whether there are more entries on either side of it. */
async function readPart(matches: SQL | undefined, { before, after, at }: TimelinePlace, limit: number) {
  const select = (stretch: Stretch) => selectStretch(matches, stretch, limit + 1);
  if (after !== undefined) {
    const rows = await select({ after: readEntryCursor(after, 'after') });
    return { rows: rows.slice(0, limit).reverse(), hasEarlier: true, hasLater: rows.length > limit };
  }
  const isAtDay = before === undefined && at !== undefined;
  const [older, newer] = await Promise.all([
    select(before === undefined ? { upTo: at } : { before: readEntryCursor(before, 'before') }),
    isAtDay ? select({ after: at }) : [],
  ]);
  // Nothing that old: begin with the oldest.
  if (isAtDay && older.length === 0)
    return { rows: newer.slice(0, limit).reverse(), hasEarlier: false, hasLater: newer.length > limit };
  return {
    rows: older.slice(0, limit),
    hasEarlier: older.length > limit,
    hasLater: before !== undefined || newer.length > 0,
  };
}

/** Selects the days of a year that have entries which fit a filter. */
function selectMatchingDays(matches: SQL | undefined, year: number) {
  return db()
    .selectDistinct({ day: entries.date })
    .from(entries)
    .where(and(matches, sql`${entries.date} between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date`));
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
      question: row.question,
      words: highlights.get(row.id) ?? [],
      language: row.language,
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
    selectDaySeconds(userId, `${year}-01-01`, `${year}-12-31`),
    isFiltered ? selectMatchingDays(await matchFilter(userId, filter), year) : null,
  ]);
  const matches = matching && new Set(matching.map(({ day }) => day));
  return days.map((one) => ({ ...one, matches: matches?.has(one.day) ?? true }));
}
