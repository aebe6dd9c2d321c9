import { z } from 'zod';
import { placeParts, readCursor, writeCursor } from '@/lib/journal/entries/cursor';
import { sumEntries } from '@/lib/journal/entries/months';
import { thumbnailUrl } from '@/lib/journal/entries/service';
import { readDate } from '@/lib/journal/entries/shared/calendar';
import type { SearchResult, SearchSummary } from './contract';
import {
  type Criteria,
  type MatchRow,
  type Place,
  selectAfter,
  selectOldest,
  selectRanked,
  selectYears,
} from './match-queries';
import { selectMoments } from './moments';
import { correctTargets, readTargets, type Targets } from './targets';
import type { IndexTerm } from './terms';
import { spokenQuery, tsQueries } from './tsquery';

/** What to search for, in the service, the API, and the search page's form and address. */
export interface SearchFilters {
  /** As typed. */
  query: string;
  /** Ids of tags; an entry must have all of them. */
  categories: string[];
  /** The first and the last day, as `YYYY-MM-DD`; empty or missing for any. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface SearchOptions extends SearchFilters {
  limit: number;
  cursor?: string | undefined;
  /** Whether to count all matches, even if that takes a while. By default, yes. */
  count?: boolean;
}

/** A page of results; `next` is the cursor of the page after it, null at the end. */
interface SearchPage {
  results: SearchResult[];
  next: string | null;
  /** How many results all pages have. Null if they weren't counted. */
  total: number | null;
}

const place = z.tuple([z.boolean(), ...placeParts]);

/**
 * A page's last result, by which it's found again after entries were added or deleted: its place, its score if it's
 * ranked, the place after which results aren't ranked, and whether typos were corrected.
 */
const cursorParts = z.tuple([place, z.number().min(0).max(1000).nullable(), place.nullable(), z.boolean()]);

interface SearchCursor extends Place {
  /** Null if it isn't ranked. */
  score: number | null;
  boundary: Place | null;
  corrected: boolean;
}

const toPlace = ([first, date, createdAt, id]: z.infer<typeof place>): Place => ({
  first,
  date,
  createdAt,
  id,
});

const fromPlace = ({ first, date, createdAt, id }: Place) => [first, date, createdAt, id];

/** @throws AppError `validation_failed` */
function readSearchCursor(cursor: string): SearchCursor {
  const [after, score, boundary, corrected] = readCursor(cursorParts, cursor);
  return { ...toPlace(after), score, boundary: boundary && toPlace(boundary), corrected };
}

/** Returns the cursor of the page that follows a result. */
const writeSearchCursor = (last: MatchRow, boundary: Place | null, corrected: boolean): string =>
  writeCursor([
    fromPlace({ ...last, createdAt: last.created_at }),
    last.score,
    boundary && fromPlace(boundary),
    corrected,
  ]);

const NOTHING: SearchPage = { results: [], next: null, total: 0 };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns what to search for, null if nothing can be found: an unreadable query, or none and no tags. */
async function readFilters(userId: string, { query, categories }: SearchFilters): Promise<Targets | null> {
  if (categories.some((id) => !UUID.test(id))) return null;
  const targets = await readTargets(userId, query);
  const isReadable = targets.index.length > 0 || (categories.length > 0 && targets.terms.length === 0);
  return isReadable ? targets : null;
}

const toCriteria = (index: IndexTerm[], { categories, from, to }: SearchFilters): Criteria => ({
  ...tsQueries(index, categories),
  from: from || null,
  to: to || null,
});

/**
 * Returns the matches that follow a cursor, up to the limit: the ranked ones, then the others from the newest. And how
 * many there are, if that's known without counting.
 */
async function selectPage(userId: string, wanted: Criteria & { limit: number }, cursor: SearchCursor | null) {
  if (cursor?.score === null)
    return { rows: await selectAfter(userId, wanted, cursor), boundary: null, total: null };
  const { rows, ranked, boundary } = await selectRanked(userId, wanted, cursor);
  if (!boundary) return { rows, boundary, total: ranked };
  const missing = wanted.limit - rows.length;
  const others = missing > 0 ? await selectAfter(userId, { ...wanted, limit: missing }, boundary) : [];
  return { rows: [...rows, ...others], boundary, total: null };
}

async function find(
  userId: string,
  index: IndexTerm[],
  { limit, count = true, ...filters }: SearchOptions,
  cursor: SearchCursor | null,
  corrected: boolean,
): Promise<SearchPage> {
  const wanted = toCriteria(index, filters);
  const { rows, boundary, total } = await selectPage(userId, { ...wanted, limit: limit + 1 }, cursor);
  const shown = rows.slice(0, limit);
  const [moments, counted] = await Promise.all([
    selectMoments(shown, index),
    count && total === null ? selectYears(userId, wanted) : null,
  ]);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    results: shown.map(({ id, title, date, pictured, duration, language, tags }) => ({
      id,
      title,
      thumbnail: thumbnailUrl(id, pictured),
      date: readDate(date),
      duration,
      language,
      tags,
      ...(moments.get(id) ?? { matches: [], more: null }),
    })),
    next: last ? writeSearchCursor(last, boundary, corrected) : null,
    total: counted ? sumEntries(counted) : total,
  };
}

/**
 * Searches the titles, tags, transcripts, questions, and notes of a user's entries. Every term must match somewhere; if nothing
 * does, searches for similar words.
 * @returns best first: title and tag matches before transcript matches before those in questions and notes, then more matches before
 * fewer, then newer before older. Of more than a hundred matches, the newest are ranked. The others follow them: title
 * and tag matches first, then newer before older.
 * @throws AppError `validation_failed` for a cursor that isn't one
 */
export async function search(userId: string, options: SearchOptions): Promise<SearchPage> {
  const cursor = options.cursor ? readSearchCursor(options.cursor) : null;
  const targets = await readFilters(userId, options);
  if (!targets) return NOTHING;
  if (!cursor?.corrected) {
    const page = await find(userId, targets.index, options, cursor, false);
    if (cursor || page.results.length > 0) return page;
  }
  const correction = await correctTargets(userId, targets);
  return correction ? find(userId, correction.index, options, cursor, true) : NOTHING;
}

const NO_SUMMARY: SearchSummary = { total: 0, years: [], first_said: null, spelling: null, suggestion: null };

async function summarize(
  userId: string,
  index: IndexTerm[],
  filters: SearchFilters,
): Promise<Pick<SearchSummary, 'total' | 'years' | 'first_said'>> {
  const wanted = toCriteria(index, filters);
  const everywhere = { ...wanted, from: null, to: null };
  const spoken = spokenQuery(index, filters.categories);
  const [years, within, oldest] = await Promise.all([
    selectYears(userId, everywhere),
    wanted.from || wanted.to ? selectYears(userId, wanted) : null,
    spoken ? selectOldest(userId, spoken, everywhere) : null,
  ]);
  return {
    total: sumEntries(within ?? years),
    years,
    first_said: oldest && { ...oldest, date: readDate(oldest.date) },
  };
}

/**
 * Counts what a search finds, within its dates and in every year, and returns the first entry of all that says it, and
 * how its words are spelled in the journal if they had typos.
 */
export async function summarizeSearch(userId: string, filters: SearchFilters): Promise<SearchSummary> {
  const targets = await readFilters(userId, filters);
  if (!targets) return NO_SUMMARY;
  const exact = await summarize(userId, targets.index, filters);
  if (exact.total > 0) return { ...NO_SUMMARY, ...exact };
  const correction = await correctTargets(userId, targets);
  if (!correction) return { ...NO_SUMMARY, ...exact };
  const similar = await summarize(userId, correction.index, filters);
  if (similar.total > 0) return { ...NO_SUMMARY, ...similar, spelling: correction.spelling };
  const { word, entries } = correction.commonest;
  return { ...NO_SUMMARY, ...exact, suggestion: { query: word, entries } };
}
