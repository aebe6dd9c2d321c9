import type { Term } from './parse';

/** One position of a text: any of these lexemes, or with `begins` any that begins so. */
export interface Unit {
  forms: string[];
  begins: string | null;
}

/** What is looked for, in the index's own words. */
export interface Target {
  excluded: boolean;
  /** One after the other; each in one of several spellings (mother-in-law in one piece, or in three), each of those a row of positions. */
  words: Unit[][][];
  /** Ids of tags whose names have it. */
  tagIds: string[];
}

/** How Postgres reads one typed word: in one piece, and when it has several, each of them. */
export interface Reading {
  whole: Piece;
  parts: Piece[];
}

export interface Piece {
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

function spellings({ whole, parts }: Reading, prefix: boolean): Unit[][] {
  const inOne = [unitOf(whole, prefix)];
  if (parts.length < 2) return [inOne];
  return [inOne, parts.map((part, index) => unitOf(part, prefix && index === parts.length - 1))];
}

/** Joins what was typed with how Postgres reads it. Words such as "the" count only in quotation marks, or alone. */
export function targetsOf(terms: Term[], readings: Map<string, Reading>): Target[] {
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
function unitAt({ forms, begins }: Unit, positions: Positions): Set<number> {
  const found = forms.flatMap((form) => positions.get(form) ?? []);
  if (begins !== null) {
    for (const [lexeme, at] of positions) if (lexeme.startsWith(begins)) found.push(...at);
  }
  return new Set(found);
}

/** Where a target is found in a text: first and last position of each occurrence, in order. */
export function occurrences({ words }: Target, positions: Positions): [first: number, last: number][] {
  let runs: [number, number][] | null = null;
  for (const word of words) {
    const next: [number, number][] = [];
    for (const spelling of word) {
      const at = spelling.map((unit) => unitAt(unit, positions));
      for (const start of at[0] ?? []) {
        if (at.every((set, offset) => set.has(start + offset))) next.push([start, start + at.length - 1]);
      }
    }
    runs =
      runs === null
        ? next
        : runs.flatMap(([first, last]) =>
            next.filter(([start]) => start === last + 1).map(([, end]): [number, number] => [first, end]),
          );
  }
  return (runs ?? []).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}
