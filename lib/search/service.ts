import { z } from 'zod';
import { id } from '@/lib/contract/fields';
import { type CalendarDate, fromIso, readDate, toIso } from '@/lib/entries/calendar';
import { readCursor, writeCursor } from '@/lib/entries/cursor';
import type { SearchResult } from './contract';
import { parseQuery } from './parse';
import {
  type BestRow,
  type Place,
  selectBest,
  selectSimilarWords,
  selectTagNames,
  selectWordLexemes,
  selectWords,
} from './queries';
import { pickOccurrences, rangesAround, snippet } from './snippets';
import { spokenPositions } from './spoken-positions';
import { type IndexTerm, mergeRuns, occurrences, toIndexTerms } from './terms';
import { tsQueries } from './tsquery';

export interface SearchOptions {
  /** As typed. */
  query: string;
  /** Ids of tags; an entry must have all of them. */
  categories: string[];
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** A page of results; `next` is the cursor of the page after it, null at the end. */
interface SearchPage {
  results: SearchResult[];
  next: string | null;
  /** How many results all pages have, at most 100. */
  total: number;
}

const NOTHING: SearchPage = { results: [], next: null, total: 0 };

/** The parts of a cursor, by which a page's last result is found again after entries were added or deleted. */
const cursorParts = z.tuple([
  z.boolean(),
  z.number().min(0).max(1000),
  z.string().refine((date) => fromIso(date) !== null),
  // Postgres has no year 0.
  z.iso.datetime().refine((moment) => !moment.startsWith('0000')),
  id,
]);

/** @throws AppError `validation_failed` */
function afterCursor(cursor: string): Place {
  const [first, score, date, createdAt, entryId] = readCursor(cursorParts, cursor);
  return { first, score, date, createdAt, id: entryId };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses a query and adds to each term the tags whose names match it. */
async function readTargets(userId: string, query: string): Promise<IndexTerm[]> {
  const terms = parseQuery(query);
  if (terms.length === 0) return [];
  const words = [...new Set(terms.flatMap((term) => term.words))];
  const [readings, tags] = await Promise.all([selectWordLexemes(words), selectTagNames(userId)]);
  return toIndexTerms(terms, readings).map((target) => ({
    ...target,
    tagIds: tags.filter(({ name }) => occurrences(target, name).length > 0).map(({ id }) => id),
  }));
}

/** Adds similar words from the user's journal to terms that may have typos. Returns null if there are none. */
async function addSimilarWords(userId: string, targets: IndexTerm[]): Promise<IndexTerm[] | null> {
  const units = targets.filter((target) => !target.excluded).flatMap(({ words }) => words.flat(2));
  const typed = [...new Set(units.flatMap(({ forms }) => forms.slice(0, 1)))].filter(
    (word) => word.length > 3,
  );
  const similar = typed.length > 0 ? await selectSimilarWords(userId, typed) : new Map<string, string[]>();
  if (similar.size === 0) return null;
  return targets.map((target) => ({
    ...target,
    words: target.words.map((word) =>
      word.map((spelling) =>
        spelling.map((unit) => ({
          ...unit,
          forms: [...unit.forms, ...(similar.get(unit.forms[0] ?? '') ?? [])],
        })),
      ),
    ),
  }));
}

/** Returns snippets for the results whose transcript contains one of the words. */
async function snippetsOf(
  best: BestRow[],
  targets: IndexTerm[],
): Promise<Map<string, SearchResult['matches']>> {
  const hits = best
    .map(({ id, vector, shelf }) => {
      const positions = spokenPositions(vector, shelf, targets);
      const found = mergeRuns(targets.map((target) => occurrences(target, positions)));
      const picked = pickOccurrences(found);
      return { entryId: id, found, picked, ranges: rangesAround(picked) };
    })
    .filter(({ picked }) => picked.length > 0);
  const words = await selectWords(hits);
  return new Map(
    hits.map(({ entryId, found, picked, ranges }, nth) => {
      let read = 0;
      const matches = picked.flatMap((occurrence, index) => {
        const { from, to } = ranges[index] ?? { from: 1, to: 0 };
        const said = (words[nth] ?? []).slice(read, read + to - from + 1);
        read += said.length;
        return snippet(said, from, occurrence, found) ?? [];
      });
      return [entryId, matches];
    }),
  );
}

async function find(
  userId: string,
  targets: IndexTerm[],
  filters: SearchOptions,
  after: Place | null,
): Promise<SearchPage> {
  const { limit } = filters;
  const { best, total } = await selectBest(userId, {
    ...tsQueries(targets, filters.categories),
    from: filters.from ? toIso(filters.from) : null,
    to: filters.to ? toIso(filters.to) : null,
    limit: limit + 1,
    after,
  });
  const shown = best.slice(0, limit);
  const matches = await snippetsOf(
    shown,
    targets.filter((target) => !target.excluded),
  );
  const last = best.length > limit ? shown.at(-1) : undefined;
  return {
    results: shown.map(({ id, title, date, pictured }) => ({
      id,
      title,
      thumbnail: pictured ? `/api/v1/entry/${id}/thumbnail` : '',
      date: readDate(date),
      matches: matches.get(id) ?? [],
    })),
    next: last ? writeCursor([last.first, last.score, last.date, last.created_at, last.id]) : null,
    total,
  };
}

/**
 * Searches the titles, tags, transcripts, and notes of a user's entries. Every term must match somewhere; if nothing
 * does, searches for similar words.
 * @returns best first: title and tag matches before transcript matches before note matches, then more matches before
 * fewer, then newer before older. With more than 100 matches, only the newest are ranked and returned.
 * @throws AppError `validation_failed` for a cursor that isn't one
 */
export async function search(userId: string, filters: SearchOptions): Promise<SearchPage> {
  const after = filters.cursor ? afterCursor(filters.cursor) : null;
  if (filters.categories.some((id) => !UUID.test(id))) return NOTHING;
  const targets = await readTargets(userId, filters.query);
  if (targets.length === 0 && (filters.categories.length === 0 || parseQuery(filters.query).length > 0))
    return NOTHING;
  const page = await find(userId, targets, filters, after);
  if (page.total > 0) return page;
  const forgiving = await addSimilarWords(userId, targets);
  return forgiving ? find(userId, forgiving, filters, after) : page;
}
