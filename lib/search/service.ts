import { type CalendarDate, readDate, toIso } from '@/lib/entries/calendar';
import type { SearchResult } from './contract';
import { parseQuery } from './parse';
import {
  type BestRow,
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

async function find(userId: string, targets: IndexTerm[], filters: SearchOptions): Promise<SearchResult[]> {
  const best = await selectBest(userId, {
    ...tsQueries(targets, filters.categories),
    from: filters.from ? toIso(filters.from) : null,
    to: filters.to ? toIso(filters.to) : null,
    limit: filters.limit,
  });
  const matches = await snippetsOf(
    best,
    targets.filter((target) => !target.excluded),
  );
  return best.map(({ id, title, date, pictured }) => ({
    id,
    title,
    thumbnail: pictured ? `/api/v1/entry/${id}/thumbnail` : '',
    date: readDate(date),
    matches: matches.get(id) ?? [],
  }));
}

/**
 * Searches the titles, tags, transcripts, and notes of a user's entries. Every term must match somewhere; if nothing
 * does, searches for similar words.
 * @returns best first: title and tag matches before transcript matches before note matches, then more matches before
 * fewer, then newer before older. With more than 100 matches, only the newest are ranked.
 */
export async function search(userId: string, filters: SearchOptions): Promise<SearchResult[]> {
  if (filters.categories.some((id) => !UUID.test(id))) return [];
  const targets = await readTargets(userId, filters.query);
  if (targets.length === 0 && (filters.categories.length === 0 || parseQuery(filters.query).length > 0))
    return [];
  const results = await find(userId, targets, filters);
  if (results.length > 0) return results;
  const forgiving = await addSimilarWords(userId, targets);
  return forgiving ? find(userId, forgiving, filters) : [];
}
