import { type SQL, sql } from 'drizzle-orm';
import { executePrepared } from '@/db/prepared';
import type { StoredWord } from '@/db/schema/transcripts';
import type { Piece, Positions, WordLexemes } from './terms';

/** The similarity (pg_trgm, 0 to 1) from which a word counts as a correction of a typo, and how many are used. */
const MIN_SIMILARITY = 0.4;
const MAX_SIMILAR = 5;

interface ReadPiece {
  written: string | null;
  stem: string | null;
  stop: boolean;
}

const PIECE = sql`json_build_object(
  'written', (tsvector_to_array(to_tsvector('daylight_written', piece)))[1],
  'stem', (tsvector_to_array(to_tsvector('daylight_english', piece)))[1],
  'stop', to_tsvector('english', piece) = '')`;

/** A range of a regular expression: what's indexed by glyphs. */
const GLYPH = sql`('[' || search_glyph() || ']')`;

/**
 * Reads a plain word: whole, and in its parts. Postgres expects an array to be short, but a thousand parts of a regular
 * expression's, and would compile the query, which takes twenty times as long as running it.
 */
const piecesOf = (plain: SQL) => sql`case when ${plain} <> '' then (
      select json_agg(${PIECE} order by nth)
      from unnest(replace(${plain}, ' ', '') || string_to_array(${plain}, ' ')) with ordinality as pieces (piece, nth)
    ) end`;

/** Returns pieces in the index's lexemes; none if one of them has no letter or digit for Postgres. */
function toPieces(read: ReadPiece[] | null): Piece[] {
  const pieces = (read ?? []).flatMap(({ written, stem, stop }) =>
    written && stem ? { forms: [...new Set([written, stem])], stop } : [],
  );
  return pieces.length === read?.length ? pieces : [];
}

/**
 * Reads words with Postgres the way the index does: whole, in parts if a word has several, and by glyphs if it has any. Omits
 * words that have none of these.
 */
export async function selectWordLexemes(words: string[]): Promise<Map<string, WordLexemes>> {
  const rows = await executePrepared<{
    word: string;
    pieces: ReadPiece[] | null;
    before: ReadPiece[] | null;
    spelled: (ReadPiece & { glyphs: string | null })[] | null;
  }>(sql`
    select word, ${piecesOf(sql`plain`)} as pieces,
    case when before <> plain then ${piecesOf(sql`before`)} end as before,
    case when word ~ ${GLYPH} then (
      select json_agg(${PIECE}::jsonb || jsonb_build_object('glyphs', case when found[1] ~ ${GLYPH} then found[1] end) order by nth)
      from regexp_matches(search_folded(word), '[' || search_glyph() || ']+|[^' || search_glyph() || ']+', 'g')
          with ordinality as runs (found, nth),
        replace(search_plain(found[1]), ' ', '') as piece
    ) end as spelled
    from jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) as word, trim(search_plain(word)) as plain,
      trim(search_plain_before(word)) as before`);
  return new Map(
    rows.flatMap(({ word, pieces, before, spelled }): [string, WordLexemes][] => {
      const [whole = null, ...parts] = toPieces(pieces);
      const runs = (spelled ?? []).flatMap(({ glyphs, ...read }): (string | Piece)[] =>
        glyphs ? [glyphs] : toPieces([read]),
      );
      return whole || runs.length > 0 ? [[word, { whole, parts, runs, before: toPieces(before) }]] : [];
    }),
  );
}

/** Returns a user's tag names, with words read the way the index does. */
export async function selectTagNames(userId: string): Promise<{ id: string; name: Positions }[]> {
  const rows = await executePrepared<{ id: string; name: Record<string, number[]> | null }>(sql`
    select id, (
      select json_object_agg(lexeme, positions) from unnest(search_text(name, true))
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
    with said as materialized (
      select word, sum(entries)::int as entries from search_words where user_id = ${userId} group by word
    )
    select typed, alike.word, alike.entries
    from jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) as typed
    cross join lateral (
      select word, entries from (
        select word, entries, similarity(word, typed) as score from (
          -- Apart (by the offset), as comparing lengths costs next to nothing and comparing letters does not.
          select word, entries from said where abs(length(word) - length(typed)) <= 2 offset 0
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
