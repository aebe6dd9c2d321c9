import type { Term } from './shared/parse';

/** What one position of a text may be: any of these lexemes or, with `begins`, any lexeme with that prefix. */
export interface Unit {
  forms: string[];
  begins: string | null;
}

/** A search term in the index's lexemes. */
export interface IndexTerm {
  excluded: boolean;
  /**
   * Consecutive words. Each has one or more spellings (mother-in-law as one lexeme, or as three), and each spelling
   * is a sequence of positions.
   */
  words: Unit[][][];
  /** Ids of tags whose names contain it. */
  tagIds: string[];
}

/** How Postgres reads one typed word: whole and, if it has several parts, each of them. */
export interface WordLexemes {
  whole: Piece;
  parts: Piece[];
}

interface Piece {
  /** As written and stemmed, which differ for inflected English words. */
  forms: string[];
  /** Stop words such as "the", which searches ignore unless they're quoted. */
  stop: boolean;
}

/** Where lexemes are in a text: positions from 1, in order. */
export type Positions = Map<string, number[]>;

const unitOf = ({ forms }: Piece, prefix: boolean): Unit => ({
  forms,
  begins: prefix ? (forms[0] ?? null) : null,
});

function spellings({ whole, parts }: WordLexemes, prefix: boolean): Unit[][] {
  const inOne = [unitOf(whole, prefix)];
  if (parts.length < 2) return [inOne];
  return [inOne, parts.map((part, index) => unitOf(part, prefix && index === parts.length - 1))];
}

/** Combines what was typed with how Postgres reads it. Stop words count only in quotation marks, or alone. */
export function toIndexTerms(terms: Term[], readings: Map<string, WordLexemes>): IndexTerm[] {
  const known = terms
    .map((term) => ({ term, read: term.words.flatMap((word) => readings.get(word) ?? []) }))
    .filter(({ read }) => read.length > 0);
  const telling = known.filter(({ term, read }) => term.quoted || !read.every(({ whole }) => whole.stop));
  const kept = telling.some(({ term }) => !term.excluded) ? telling : known;
  return kept.map(({ term, read }) => ({
    excluded: term.excluded,
    words: read.map((reading, index) => spellings(reading, term.prefix && index === read.length - 1)),
    tagIds: [],
  }));
}

/** Returns the positions where a unit matches, in order. */
function unitPositions({ forms, begins }: Unit, positions: Positions): number[] {
  const lists = forms.flatMap((form) => [positions.get(form) ?? []]);
  if (begins !== null) {
    for (const [lexeme, at] of positions) if (lexeme.startsWith(begins)) lists.push(at);
  }
  const found = lists.filter((at) => at.length > 0);
  if (found.length < 2) return found[0] ?? [];
  // Typed arrays sort numerically and much faster: a prefix can match a thousand times.
  const sorted = Uint32Array.from(([] as number[]).concat(...found)).sort();
  const all: number[] = [];
  for (let index = 0; index < sorted.length; index += 1) {
    if (sorted[index] !== sorted[index - 1]) all.push(sorted[index] ?? 0);
  }
  return all;
}

type Run = [first: number, last: number];

const inOrder = (a: Run, b: Run) => a[0] - b[0] || a[1] - b[1];

/** Returns where the units appear one after another, in order. */
function phraseRuns(units: Unit[], positions: Positions): Run[] {
  const [starts = [], ...rest] = units.map((unit) => unitPositions(unit, positions));
  const following = rest.map((at) => new Set(at));
  const found: Run[] = [];
  for (const start of starts) {
    if (following.every((at, index) => at.has(start + index + 1))) found.push([start, start + rest.length]);
  }
  return found;
}

/**
 * Extends each run in `before` with the runs that start right after it. Each result is there once: where several
 * spellings of every word fit, the ways to one place double with each word.
 */
function joined(before: Run[], next: Run[]): Run[] {
  const ends = new Map<number, Set<number>>();
  for (const [start, end] of next) ends.set(start, (ends.get(start) ?? new Set()).add(end));
  const byFirst = new Map<number, Set<number>>();
  for (const [first, last] of before) {
    for (const end of ends.get(last + 1) ?? [])
      byFirst.set(first, (byFirst.get(first) ?? new Set()).add(end));
  }
  return [...byFirst].flatMap(([first, found]) => [...found].map((end): Run => [first, end]));
}

/** Merges sorted lists into one. */
export function mergeRuns(lists: Run[][]): Run[] {
  const [first = [], ...rest] = lists.filter((list) => list.length > 0);
  return rest.length === 0 ? first : [first, ...rest].flat().sort(inOrder);
}

/** Returns the first and last position of each occurrence of a term in a text, in order. */
export function occurrences({ words }: IndexTerm, positions: Positions): Run[] {
  const [first = [], ...rest] = words.map((spellings) =>
    mergeRuns(spellings.map((units) => phraseRuns(units, positions))),
  );
  return rest.length === 0 ? first : rest.reduce(joined, first).sort(inOrder);
}
