import { and, desc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { type Database, db, type Transaction } from '@/db/client';
import { preparedStatement } from '@/db/prepared';
import { entries } from '@/db/schema/entries';
import { firstDay, type MonthCount, monthsIn } from './months';
import { listed, newestFirst, oldestFirst, placeOfEntry } from './queries';
import { summaryColumns } from './service';

/** What a gallery is narrowed down to. */
export interface GalleryFilter {
  /** Ids of tags, all of which the entries have. */
  tag?: readonly string[] | undefined;
  /** `YYYY-MM`, or `YYYY` for a whole year. */
  month?: string | undefined;
  /** Only entries with notes. */
  notes?: boolean | undefined;
}

function isInPeriod(month: string): SQL {
  const { from, to } = monthsIn(month);
  return sql`${entries.date} >= ${firstDay(from)}::date and ${entries.date} < ${firstDay(to)}::date`;
}

const hasTag = (tag: string) =>
  sql`exists (select from entry_tags where entry_tags.entry_id = ${entries.id} and entry_tags.tag_id = ${tag})`;

/** Selects the entries that a filter leaves. */
export const matchesFilter = (
  userId: string | Placeholder,
  { tag = [], month, notes }: GalleryFilter,
): SQL | undefined =>
  and(
    listed(userId),
    month ? isInPeriod(month) : undefined,
    ...tag.map(hasTag),
    notes ? sql`exists (select from notes where notes.entry_id = ${entries.id})` : undefined,
  );

/** The months that have entries with tags or notes, newest first. */
export function selectFilteredMonths(
  userId: string,
  { tag, notes }: Pick<GalleryFilter, 'tag' | 'notes'>,
): Promise<MonthCount[]> {
  const month = sql<number>`search_month(${entries.date})`;
  return db()
    .select({ month, entries: sql<number>`count(*)::int` })
    .from(entries)
    .where(matchesFilter(userId, { tag, notes }))
    .groupBy(month)
    .orderBy(desc(month));
}

/** Part of a gallery. It begins with the entries before a day (`YYYY-MM-DD`), of which some are skipped in the index alone. */
interface Stretch {
  before: string;
  skip: number;
  limit: number;
}

type Placeholders<Values> = { [Name in keyof Values]: Values[Name] | Placeholder };

function galleryQuery(
  connection: Database | Transaction,
  userId: string | Placeholder,
  filter: GalleryFilter,
  stretch: Placeholders<Stretch>,
) {
  const shown = connection
    .select({ id: entries.id })
    .from(entries)
    .where(and(matchesFilter(userId, filter), sql`${entries.date} < ${stretch.before}::date`))
    .orderBy(...newestFirst)
    .offset(stretch.skip)
    .limit(stretch.limit)
    .as('shown');
  return connection
    .select(summaryColumns)
    .from(shown)
    .innerJoin(entries, eq(entries.id, shown.id))
    .orderBy(...newestFirst)
    .prepare('gallery');
}

const unfilteredGallery = preparedStatement((connection) =>
  galleryQuery(
    connection,
    sql.placeholder('userId'),
    {},
    { before: sql.placeholder('before'), skip: sql.placeholder('skip'), limit: sql.placeholder('limit') },
  ),
);

/** A stretch of the gallery, newest first. */
export function selectGallery(userId: string, filter: GalleryFilter, stretch: Stretch) {
  const isFiltered = filter.tag?.length || filter.month || filter.notes;
  if (!isFiltered) return unfilteredGallery().execute({ userId, ...stretch });
  return galleryQuery(db(), userId, filter, stretch).execute();
}

/** Entries of a stretch of days, both included (`YYYY-MM-DD`), newest first. */
export function selectDays(userId: string, from: string, to: string, limit: number) {
  return db()
    .select(summaryColumns)
    .from(entries)
    .where(and(listed(userId), sql`${entries.date} between ${from}::date and ${to}::date`))
    .orderBy(...newestFirst)
    .limit(limit);
}

/**
 * Selects the entries between two, both included, newest first.
 * @returns none unless both are listed
 */
export function selectRange(userId: string, filter: GalleryFilter, ends: [string, string], limit: number) {
  const end = (order: SQL[]) => sql`(
    select ${placeOfEntry} from ${entries}
    where ${and(anyOf(entries.id, ends), listed(userId))} order by ${sql.join(order, sql`, `)} limit 1)`;
  return db()
    .select(summaryColumns)
    .from(entries)
    .where(
      and(
        matchesFilter(userId, filter),
        sql`(${placeOfEntry}) between ${end(oldestFirst)} and ${end(newestFirst)}`,
      ),
    )
    .orderBy(...newestFirst)
    .limit(limit);
}

/** Selects the entry right before or after one, in the journal's order. Reads one row of `entries_newest`. */
export function selectNeighbor(userId: string, entryId: string, side: 'before' | 'after') {
  const here = sql`(select ${placeOfEntry} from ${entries} where ${and(sql`${entries.id} = ${entryId}`, listed(userId))})`;
  return db()
    .select({
      id: entries.id,
      title: entries.title,
      date: entries.date,
      thumbnailKey: entries.thumbnailKey,
    })
    .from(entries)
    .where(
      and(
        listed(userId),
        side === 'before' ? sql`(${placeOfEntry}) < ${here}` : sql`(${placeOfEntry}) > ${here}`,
      ),
    )
    .orderBy(...(side === 'before' ? newestFirst : oldestFirst))
    .limit(1);
}
