import { type SQL, sql } from 'drizzle-orm';
import { executePrepared } from '@/db/prepared';
import type { Cursor } from '@/lib/journal/entries/cursor';
import { tagsOf } from '@/lib/journal/entries/queries';
import type { Tag } from '@/lib/journal/tags/contract';
import { PARTITION_PLACEHOLDER, type TsQueries } from './tsquery';

/** How many of the newest matches are ranked. A search's cost must not grow with the journal. */
const MAX_RANKED = 100;

/**
 * Weights of notes and questions, transcript, tags, and title, far enough apart that many matches of one kind never outweigh one of
 * the next.
 */
const WEIGHTS = '{0.0001, 0.01, 1, 1}';

/** Where a match is in the order of matches: those in the title or tags first, then newest first, to the microsecond. */
export interface Place extends Cursor {
  /** Whether the title or tags match. */
  first: boolean;
}

export interface Criteria extends TsQueries {
  /** `YYYY-MM-DD`, inclusive. */
  from: string | null;
  to: string | null;
}

type Page = Criteria & { limit: number };

/** The months to look in, as numbers; `order` is that of the months. */
const months = (userId: string, { from, to }: Criteria, order: 'asc' | 'desc') => sql`array(
  select month from journal_months where user_id = ${userId} and entries > 0
    and (${from}::date is null or month >= search_month(${from}::date))
    and (${to}::date is null or month <= search_month(${to}::date))
  order by month ${sql.raw(order)})`;

const firstDay = ({ from }: Criteria) => sql`${from ?? '-infinity'}::date`;
const lastDay = ({ to }: Criteria) => sql`${to ?? 'infinity'}::date`;

/** Returns the newest matches before a place; `first` marks which kind they are. */
function matchesBefore(
  userId: string,
  query: string,
  wanted: Criteria,
  { first, before, most }: { first: boolean; before: Place | null; most: number },
): SQL {
  return sql`
    select found.*, ${first}::boolean as first
    from search_before(${userId}, ${months(userId, wanted, 'desc')}, ${query}, ${firstDay(wanted)}, ${lastDay(wanted)},
      ${before?.date ?? null}::date, ${before?.createdAt ?? null}::timestamptz, ${before?.id ?? null}::uuid,
      ${most}::int) as found`;
}

/** Returns matches in title or tags before the others, newest first, so many at most, from a place on. */
function nextMatches(userId: string, wanted: Criteria, after: Place | null, most: number): SQL {
  const { all, head } = wanted;
  if (head === null) return matchesBefore(userId, all, wanted, { first: true, before: after, most });
  const others = matchesBefore(userId, `(${all}) & !${head}`, wanted, {
    first: false,
    before: after?.first ? null : after,
    most,
  });
  if (after?.first === false) return others;
  const inHead = matchesBefore(userId, `(${all}) & ${head}`, wanted, { first: true, before: after, most });
  return sql`select * from (${inHead} union all ${others}) as either limit ${most}`;
}

/** What a result shows of its entry, looked up by the id of each row of `listed`. */
const entryOf = (userId: string, listed: SQL) => sql`${listed} cross join lateral (
    -- Apart (by the offset), so that each is looked up by its id.
    select id, title, entries.date, thumbnail_key, duration_ms, language from entries
    where entries.id = ${listed}.entry_id and user_id = ${userId} and trashed_at is null and video_status <> 'uploading'
    offset 0
  ) as found`;

const SHOWN = sql`found.id, found.title, found.date::text as date, found.thumbnail_key is not null as pictured,
  found.duration_ms / 1000.0::float8 as duration, found.language, ${tagsOf(sql`found.id`)} as tags`;

const TIME = sql`'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

export interface MatchRow extends Record<string, unknown> {
  id: string;
  title: string;
  date: string;
  pictured: boolean;
  /** In seconds. */
  duration: number | null;
  /** BCP 47. */
  language: string | null;
  tags: Tag[];
  shelf: string;
  vector: string;
  first: boolean;
  /** Null for a match that isn't ranked. */
  score: number | null;
  created_at: string;
}

/**
 * Ranks the newest matches and returns the best after a place, best first.
 * @param after null for the first page. Later pages rank what's before the boundary of the first, whatever was added since.
 * @returns a page of them, how many there are, and the place that the others come after, which is null if there are fewer
 * than {@link MAX_RANKED}
 */
export async function selectRanked(
  userId: string,
  wanted: Page,
  after: (Place & { score: number | null; boundary: Place | null }) | null,
) {
  const { rank, limit } = wanted;
  const boundary = after?.boundary ?? null;
  const ranking = rank.map(
    (query) =>
      sql`ts_rank(${WEIGHTS}::real[], vector, replace(${query}::text, ${PARTITION_PLACEHOLDER}, shelf)::tsquery)`,
  );
  const score = ranking.length === 0 ? sql`0` : sql`greatest(${sql.join(ranking, sql`, `)})`;
  const best = sql`best`;
  // Without a match on this page, one row with the counts alone.
  const rows = await executePrepared<
    { ranked: number; last: Place } & (MatchRow | (Record<string, unknown> & { id: null }))
  >(sql`
    with newest as materialized (
      ${nextMatches(userId, wanted, null, after ? 2 * MAX_RANKED : MAX_RANKED)}
    ), matches as materialized (
      select *, (${score})::real as score from newest
      where ${boundary === null}::boolean or (first, date, created_at, entry_id) >= (${boundary?.first ?? null}::boolean,
        ${boundary?.date ?? null}::date, ${boundary?.createdAt ?? null}::timestamptz, ${boundary?.id ?? null}::uuid)
    ), best as materialized (
      select * from matches
      where ${after === null}::boolean or (first, score, date, created_at, entry_id) < (${after?.first ?? null}::boolean,
        ${after?.score ?? null}::real, ${after?.date ?? null}::date, ${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}::uuid)
      order by first desc, score desc, date desc, created_at desc, entry_id desc limit ${limit}
    )
    select ranked, last, ${SHOWN}, best.shelf, best.vector::text as vector, best.first, best.score,
      to_char(best.created_at at time zone 'UTC', ${TIME}) as created_at
    from (
      select count(*)::int as ranked, (
        select json_build_object('first', first, 'date', date, 'id', entry_id,
          'createdAt', to_char(created_at at time zone 'UTC', ${TIME}))
        from matches order by first, date, created_at, entry_id limit 1
      ) as last from matches
    ) as counted left join (${entryOf(userId, best)}) on true
    order by first desc, score desc, best.date desc, best.created_at desc, best.entry_id desc`);
  const ranked = rows[0]?.ranked ?? 0;
  const isFull = after === null && ranked === MAX_RANKED;
  return {
    rows: rows.filter((row) => row.id !== null),
    ranked,
    boundary: after ? boundary : isFull ? (rows[0]?.last ?? null) : null,
  };
}

/** Returns the matches after a place: those in the title or tags first, then newest first. */
export function selectAfter(userId: string, wanted: Page, after: Place): Promise<MatchRow[]> {
  const next = sql`next`;
  return executePrepared<MatchRow>(sql`
    with next as materialized (${nextMatches(userId, wanted, after, wanted.limit)})
    select ${SHOWN}, next.shelf, next.vector::text as vector, next.first, null as score,
      to_char(next.created_at at time zone 'UTC', ${TIME}) as created_at
    from ${entryOf(userId, next)}
    order by next.first desc, next.date desc, next.created_at desc, next.entry_id desc`);
}

/** Returns how many entries match in each year that has any, newest year first. */
export function selectYears(userId: string, wanted: Criteria): Promise<{ year: number; entries: number }[]> {
  return executePrepared<{ year: number; entries: number }>(sql`
    select year, entries from search_years(
      ${userId}, ${months(userId, wanted, 'desc')}, ${wanted.all}, ${firstDay(wanted)}, ${lastDay(wanted)})
    order by year desc`);
}

/** Returns the oldest entry that matches a query, null if none does. */
export async function selectOldest(
  userId: string,
  query: string,
  wanted: Criteria,
): Promise<{ id: string; title: string; date: string } | null> {
  const [oldest] = await executePrepared<{ id: string; title: string; date: string }>(sql`
    select found.id, title, found.date::text as date from search_oldest(
      ${userId}, ${months(userId, wanted, 'asc')}, ${query}, ${firstDay(wanted)}, ${lastDay(wanted)}) as oldest
    cross join lateral (
      select id, title, entries.date from entries where entries.id = oldest.entry_id and user_id = ${userId} offset 0
    ) as found`);
  return oldest ?? null;
}
