import { sql } from 'drizzle-orm';
import { executePrepared } from '@/db/prepared';
import type { StoredWord } from '@/db/schema/transcripts';
import type { Positions, WordLexemes } from './terms';

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

/** A word of a journal, and how many entries have it. */
export interface SimilarWord {
  word: string;
  entries: number;
}

/** Returns the words in a user's journal that look like each given one, most similar first. */
export async function selectSimilarWords(
  userId: string,
  words: string[],
): Promise<Map<string, SimilarWord[]>> {
  const rows = await executePrepared<{ typed: string; word: string; entries: number }>(sql`
    with said as materialized (select distinct word from search_words where user_id = ${userId})
    select typed, alike.word, (
      select sum(entries)::int from search_words as counted
      where counted.user_id = ${userId} and counted.word = alike.word
    ) as entries
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
  const found = new Map<string, SimilarWord[]>();
  for (const { typed, ...similar } of rows) found.set(typed, [...(found.get(typed) ?? []), similar]);
  return found;
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
