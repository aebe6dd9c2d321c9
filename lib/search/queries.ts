import { type SQL, sql } from 'drizzle-orm';
import { executePrepared } from '@/db/prepared';
import type { StoredWord } from '@/db/schema/entries';
import type { Positions, WordLexemes } from './terms';
import { PARTITION_PLACEHOLDER, type TsQueries } from './tsquery';

/** How many of the newest matches are ranked. A search's cost must not grow with the journal. */
const MAX_RANKED = 100;

/**
 * Weights of notes, transcript, tags, and title, far enough apart that many matches of one kind never outweigh one of
 * the next.
 */
const WEIGHTS = '{0.0001, 0.01, 1, 1}';

/** The similarity (pg_trgm, 0 to 1) from which a word counts as a correction of a typo, and how many are used. */
const MIN_SIMILARITY = 0.4;
const MAX_SIMILAR = 5;

/**
 * Reads words with Postgres the way the index does: whole, and in parts if a word has several. Omits words that have
 * no letter or digit for Postgres.
 */
export async function selectWordLexemes(words: string[]): Promise<Map<string, WordLexemes>> {
  const rows = await executePrepared<{
    word: string;
    pieces: { written: string; stem: string; stop: boolean }[];
  }>(sql`
    select word, (
      select json_agg(json_build_object(
        'written', (tsvector_to_array(to_tsvector('daylight_written', piece)))[1],
        'stem', (tsvector_to_array(to_tsvector('daylight_english', piece)))[1],
        'stop', to_tsvector('english', piece) = ''
      ) order by nth)
      from (
        select replace(plain, ' ', '') as piece, 0 as nth
        union all
        select * from regexp_split_to_table(plain, ' ') with ordinality
      ) as pieces
    ) as pieces
    from jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) as word, trim(search_plain(word)) as plain
    where plain <> ''`);
  const readings = new Map<string, WordLexemes>();
  for (const { word, pieces } of rows) {
    if (!pieces.every(({ written, stem }) => written && stem)) continue;
    const [whole, ...parts] = pieces.map(({ written, stem, stop }) => ({
      forms: [...new Set([written, stem])],
      stop,
    }));
    if (whole) readings.set(word, { whole, parts });
  }
  return readings;
}

/** Returns a user's tag names, with words read the way the index does. */
export async function selectTagNames(userId: string): Promise<{ id: string; name: Positions }[]> {
  const rows = await executePrepared<{ id: string; name: Record<string, number[]> | null }>(sql`
    select id, (
      select json_object_agg(lexeme, positions) from unnest(search_forms(search_plain(name), true))
    ) as name
    from tags where user_id = ${userId}`);
  return rows.map(({ id, name }) => ({ id, name: new Map(Object.entries(name ?? {})) }));
}

/** Returns the words in a user's journal that look like each given one, most similar first. */
export async function selectSimilarWords(userId: string, words: string[]): Promise<Map<string, string[]>> {
  const rows = await executePrepared<{ typed: string; word: string }>(sql`
    with said as materialized (select distinct word from search_words where user_id = ${userId})
    select typed, alike.word
    from jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) as typed
    cross join lateral (
      select word from (
        select word, similarity(word, typed) as score from (
          -- Apart (by the offset), as comparing lengths costs next to nothing and comparing letters does not.
          select word from said where abs(length(word) - length(typed)) <= 2 offset 0
        ) as candidate
      ) as scored
      where score >= ${MIN_SIMILARITY} order by score desc, word limit ${MAX_SIMILAR}
    ) as alike`);
  const found = new Map<string, string[]>();
  for (const { typed, word } of rows) found.set(typed, [...(found.get(typed) ?? []), word]);
  return found;
}

export interface SearchCriteria extends TsQueries {
  /** `YYYY-MM-DD`, inclusive. */
  from: string | null;
  to: string | null;
  limit: number;
  /** The match that the results come after, null for the first ones. */
  after: Place | null;
}

/** Where a match is in the order of results. */
export interface Place {
  /** Whether the title or tags match, which ranks first. */
  first: boolean;
  score: number;
  date: string;
  /** To the microsecond. */
  createdAt: string;
  id: string;
}

/** A query with its partition filled in. */
const forPartition = (query: string) =>
  sql`replace(${query}::text, ${PARTITION_PLACEHOLDER}, shelf)::tsquery`;

/** Returns the newest matches, month by month backward until there are enough; `first` marks which kind they are. */
function newestMatches(userId: string, query: string, { from, to }: SearchCriteria, first: boolean): SQL {
  return sql`
    select found.*, ${first}::boolean as first
    from search_newest(${userId}, array(select shelf from shelves order by month desc), ${query},
      ${from ?? '-infinity'}::date, ${to ?? 'infinity'}::date, ${MAX_RANKED}) as found`;
}

function bestMatches(userId: string, wanted: SearchCriteria): SQL {
  const { all, head, rank, from, to, limit, after } = wanted;
  const matches =
    head === null
      ? newestMatches(userId, all, wanted, true)
      : sql`${newestMatches(userId, `(${all}) & ${head}`, wanted, true)}
          union all ${newestMatches(userId, `(${all}) & !${head}`, wanted, false)}`;
  const listed = sql`user_id = ${userId} and trashed_at is null and video_status <> 'uploading'`;
  const score =
    rank.length === 0
      ? sql`0`
      : sql`greatest(${sql.join(
          rank.map((query) => sql`ts_rank(${WEIGHTS}::real[], vector, ${forPartition(query)})`),
          sql`, `,
        )})`;
  return sql`
    with shelves as materialized (
      select month, search_shelf(${userId}, month) as shelf from journal_months
      where user_id = ${userId} and entries > 0
        and (${from}::date is null or month >= search_month(${from}::date))
        and (${to}::date is null or month <= search_month(${to}::date))
    ), matches as materialized (
      select * from (${matches}) as either limit ${MAX_RANKED}
    ), ranked as materialized (
      select *, (${score})::real as score from matches
    ), best as materialized (
      select * from ranked
      where ${after === null}::boolean or (first, score, date, created_at, entry_id) < (${after?.first ?? null}::boolean,
        ${after?.score ?? null}::real, ${after?.date ?? null}::date, ${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}::uuid)
      order by first desc, score desc, date desc, created_at desc, entry_id desc limit ${limit}
    )
    select total, found.id, found.title, found.date::text as date, found.thumbnail_key is not null as pictured,
      best.shelf, best.vector::text as vector, best.first, best.score,
      to_char(best.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at
    from (select count(*)::int as total from matches) as counted left join (best cross join lateral (
      -- Apart (by the offset), so that each is looked up by its id.
      select id, title, date, thumbnail_key from entries where entries.id = best.entry_id and ${listed} offset 0
    ) as found) on true
    order by first desc, score desc, best.date desc, best.created_at desc, best.entry_id desc`;
}

export interface BestRow extends Record<string, unknown> {
  id: string;
  title: string;
  date: string;
  pictured: boolean;
  shelf: string;
  vector: string;
  first: boolean;
  score: number;
  created_at: string;
}

/** Returns the best matches, best first, and how many there are on all pages. */
export async function selectBest(
  userId: string,
  wanted: SearchCriteria,
): Promise<{ best: BestRow[]; total: number }> {
  // Without a match on this page, one row with the total alone.
  type Row = { total: number } & (BestRow | { id: null });
  const rows = await executePrepared<Row>(bestMatches(userId, wanted));
  return { best: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** Passages of a transcript, as inclusive ranges of word numbers that start at 1. */
export interface WordRanges {
  entryId: string;
  ranges: { from: number; to: number }[];
}

/** Returns the words in these ranges, concatenated, for each transcript in turn. */
export async function selectWords(wanted: WordRanges[]): Promise<StoredWord[][]> {
  if (wanted.length === 0) return [];
  const asked = wanted.map(({ entryId, ranges }, nth) => ({
    nth,
    entry_id: entryId,
    path: `$[${ranges.map(({ from, to }) => `${from - 1} to ${to - 1}`).join()}]`,
  }));
  const rows = await executePrepared<{ words: StoredWord[] }>(sql`
    select coalesce(jsonb_path_query_array((
      select words from transcripts where transcripts.entry_id = asked.entry_id order by revision desc limit 1
    ), path), '[]') as words
    from jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb) as asked(nth int, entry_id uuid, path jsonpath)
    order by nth`);
  return rows.map(({ words }) => words);
}
