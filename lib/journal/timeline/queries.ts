import { and, asc, type SQL, sql } from 'drizzle-orm';
import { anyOf, arrayOf } from '@/db/any-of';
import { db } from '@/db/client';
import { entries, entryTags } from '@/db/schema/entries';
import { type GalleryFilter, matchesFilter } from '@/lib/journal/entries/gallery-queries';
import { newestFirst } from '@/lib/journal/entries/queries';
import { type Cursor, summaryColumns } from '@/lib/journal/entries/service';

const place = sql`(${entries.date}, ${entries.createdAt}, ${entries.id})`;
const cursorOf = ({ date, createdAt, id }: Cursor) =>
  sql`(${date}::date, ${createdAt}::timestamptz, ${id}::uuid)`;

/**
 * Where a part of the timeline begins: newest first at a cursor or a day (`YYYY-MM-DD`, included), or oldest first at a
 * cursor or after a day.
 */
export type Stretch = { before?: Cursor; upTo?: string } | { after: Cursor | string };

function isInStretch(stretch: Stretch): SQL | undefined {
  if ('after' in stretch) {
    const { after } = stretch;
    return typeof after === 'string'
      ? sql`${entries.date} > ${after}::date`
      : sql`${place} > ${cursorOf(after)}`;
  }
  if (stretch.before) return sql`${place} < ${cursorOf(stretch.before)}`;
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
export async function matchFilter(userId: string, filter: GalleryFilter): Promise<SQL | undefined> {
  const { tag = [], ...rest } = filter;
  if (tag.length === 0 || !(await hasRareTag(tag))) return matchesFilter(userId, filter);
  const tagged = sql`select entry_tags.entry_id from entry_tags where ${anyOf(entryTags.tagId, tag)}
    group by entry_tags.entry_id having count(*) = ${new Set(tag).size}::int`;
  return and(matchesFilter(userId, rest), sql`${entries.id} = any(array(${tagged}))`);
}

/** Selects entries of a stretch, in the stretch's order. @param matches what {@link matchFilter} returned */
export function selectStretch(matches: SQL | undefined, stretch: Stretch, limit: number) {
  const oldestFirst = [asc(entries.date), asc(entries.createdAt), asc(entries.id)];
  return db()
    .select({
      ...summaryColumns,
      notes: sql<number>`(select count(*)::int from notes where notes.entry_id = entries.id)`.as('notes'),
    })
    .from(entries)
    .where(and(matches, isInStretch(stretch)))
    .orderBy(...('after' in stretch ? oldestFirst : newestFirst))
    .limit(limit);
}

/** Adds up the months from one to another, both included (`YYYY-MM`), newest first. */
export function selectMonths(matches: SQL | undefined, from: string, to: string) {
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

/** Selects the days of a year that have entries which fit a filter. */
export function selectMatchingDays(matches: SQL | undefined, year: number) {
  return db()
    .selectDistinct({ day: entries.date })
    .from(entries)
    .where(and(matches, sql`${entries.date} between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date`));
}
