import type { Term } from './shared/parse';

/** What one position of a text may be: any of these lexemes or, with `begins`, any lexeme with that prefix. */
export interface Unit {
  forms: string[];
  begins: string | null;
  /** Whether it may also be at the position of the unit before, as one of several glyphs of a word. */
  isNear?: boolean;
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
  /** Null if it has no letter or digit, as an emoji. */
  whole: Piece | null;
  parts: Piece[];
  /** If it has glyphs (`search_glyph` in the migrations), its runs of glyphs, as text, and what's between them. */
  runs: (string | Piece)[];
  /** How entries have it that aren't indexed again yet, if that differs: whole and in its parts. */
  before: Piece[];
}

export interface Piece {
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

function pieceSpellings([whole, ...parts]: Piece[], prefix: boolean): Unit[][] {
  if (!whole) return [];
  const inOne = [unitOf(whole, prefix)];
  if (parts.length < 2) return [inOne];
  return [inOne, parts.map((part, index) => unitOf(part, prefix && index === parts.length - 1))];
}

const spellings = ({ whole, parts, before }: WordLexemes, prefix: boolean): Unit[][] => [
  ...pieceSpellings(whole ? [whole, ...parts] : [], prefix),
  ...pieceSpellings(before, prefix),
];

/** How many units of glyphs are looked up at most: more than a sentence has. */
const MAX_GLYPH_UNITS = 32;

/** Returns each two glyphs in a row, or a lone one. */
function glyphUnits(run: string): Unit[] {
  const glyphs = [...run];
  const pairs =
    glyphs.length < 2 ? glyphs : glyphs.slice(1).map((glyph, index) => `${glyphs[index]}${glyph}`);
  return pairs.map((pair) => ({ forms: [pair], begins: null, isNear: true }));
}

/**
 * Returns the units of words with glyphs, which nobody knows the ends of: what's one word for one speech engine or person is
 * several for another. So each may be in the word of the one before, or in the next.
 */
function glyphSpelling(read: WordLexemes[], prefix: boolean): Unit[] {
  const runs = read.flatMap(({ whole, runs }) => (runs.length > 0 || !whole ? runs : [whole]));
  return runs
    .flatMap((run, index): Unit[] =>
      typeof run === 'string'
        ? glyphUnits(run)
        : [{ ...unitOf(run, prefix && index === runs.length - 1), isNear: true }],
    )
    .slice(0, MAX_GLYPH_UNITS);
}

/** Returns the spellings of a term's words, one after another. */
function wordsOf(read: WordLexemes[], prefix: boolean): Unit[][][] {
  const isLast = (index: number) => prefix && index === read.length - 1;
  const words = read.map((reading, index) => spellings(reading, isLast(index)));
  if (read.every(({ runs }) => runs.length === 0)) return words;
  const wholes = read.flatMap(({ whole }) => (whole ? [unitOf(whole, false)] : []));
  const [alone = [wholes]] = read.length === 1 ? words : [];
  return [[...(wholes.length === read.length ? alone : []), glyphSpelling(read, prefix)]];
}

/** Combines what was typed with how Postgres reads it. Stop words count only in quotation marks, or alone. */
export function toIndexTerms(terms: Term[], readings: Map<string, WordLexemes>): IndexTerm[] {
  const known = terms
    .map((term) => ({ term, read: term.words.flatMap((word) => readings.get(word) ?? []) }))
    .filter(({ read }) => read.length > 0);
  const telling = known.filter(({ term, read }) => term.quoted || !read.every(({ whole }) => whole?.stop));
  const kept = telling.some(({ term }) => !term.excluded) ? telling : known;
  return kept.map(({ term, read }) => ({
    excluded: term.excluded,
    words: wordsOf(read, term.prefix),
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
  const following = rest.map((at, index) => ({ at: new Set(at), isNear: units[index + 1]?.isNear === true }));
  const found: Run[] = [];
  for (const start of starts) {
    let ends = [start];
    for (const { at, isNear } of following) {
      const next = ends.map((end) => end + 1);
      ends = (isNear ? [...new Set([...ends, ...next])] : next).filter((end) => at.has(end));
      if (ends.length === 0) break;
    }
    for (const end of ends) found.push([start, end]);
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
