import type { Term } from './parse';

/** One position of a text: any of these lexemes, or with `begins` any that begins so. */
export interface Unit {
  forms: string[];
  begins: string | null;
}

/** What is looked for, in the index's own words. */
export interface IndexTerm {
  excluded: boolean;
  /** One after the other; each in one of several spellings (mother-in-law in one piece, or in three), each of those a row of positions. */
  words: Unit[][][];
  /** Ids of tags whose names have it. */
  tagIds: string[];
}

/** How Postgres reads one typed word: in one piece, and when it has several, each of them. */
export interface WordLexemes {
  whole: Piece;
  parts: Piece[];
}

interface Piece {
  /** As written and as a stem, which differ for English words that are inflected. */
  forms: string[];
  /** "the" and the like, which are left out of a search unless quoted. */
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

/** Joins what was typed with how Postgres reads it. Words such as "the" count only in quotation marks, or alone. */
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

/** Positions that a unit is found at, in order. */
function unitPositions({ forms, begins }: Unit, positions: Positions): number[] {
  const lists = forms.flatMap((form) => [positions.get(form) ?? []]);
  if (begins !== null) {
    for (const [lexeme, at] of positions) if (lexeme.startsWith(begins)) lists.push(at);
  }
  const found = lists.filter((at) => at.length > 0);
  if (found.length < 2) return found[0] ?? [];
  // A typed array is sorted as numbers, and much quicker: the beginning of a word is found a thousand times.
  const sorted = Uint32Array.from(([] as number[]).concat(...found)).sort();
  const all: number[] = [];
  for (let index = 0; index < sorted.length; index += 1) {
    if (sorted[index] !== sorted[index - 1]) all.push(sorted[index] ?? 0);
  }
  return all;
}

type Run = [first: number, last: number];

const inOrder = (a: Run, b: Run) => a[0] - b[0] || a[1] - b[1];

/** Where units stand one after the other, in order. */
function phraseRuns(units: Unit[], positions: Positions): Run[] {
  const [starts = [], ...rest] = units.map((unit) => unitPositions(unit, positions));
  const following = rest.map((at) => new Set(at));
  const found: Run[] = [];
  for (const start of starts) {
    if (following.every((at, index) => at.has(start + index + 1))) found.push([start, start + rest.length]);
  }
  return found;
}

/** What goes on where a run of `before` ends. */
function joined(before: Run[], next: Run[]): Run[] {
  const ends = new Map<number, number[]>();
  for (const [start, end] of next) ends.set(start, [...(ends.get(start) ?? []), end]);
  return before.flatMap(([first, last]) => (ends.get(last + 1) ?? []).map((end): Run => [first, end]));
}

/** Puts lists that are in order together to one. */
export function mergeRuns(lists: Run[][]): Run[] {
  const [first = [], ...rest] = lists.filter((list) => list.length > 0);
  return rest.length === 0 ? first : [first, ...rest].flat().sort(inOrder);
}

/** Where a target is found in a text: first and last position of each occurrence, in order. */
export function occurrences({ words }: IndexTerm, positions: Positions): Run[] {
  const [first = [], ...rest] = words.map((spellings) =>
    mergeRuns(spellings.map((units) => phraseRuns(units, positions))),
  );
  return rest.length === 0 ? first : rest.reduce(joined, first).sort(inOrder);
}
