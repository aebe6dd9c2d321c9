/**
 * The kinds of faults, and how many of a hundred sampled mutants are of each. Locks are few in the code, so an even sample
 * would hardly have any.
 */
export const KINDS = {
  /** A row lock, an advisory lock, or `on conflict do nothing` is gone. */
  lock: 12,
  /** A condition is gone that names an attempt, a generation, a version, or a token. */
  attempt: 10,
  /** Another condition of a query or an expression is gone. */
  condition: 22,
  /** What ends a function early doesn't. */
  guard: 14,
  /** Another branch is always taken, or never. */
  branch: 10,
  /** A comparison includes its bound, or no longer does; a null test is reversed. */
  comparison: 12,
  /** A limit is one off, or there's none. */
  bound: 6,
  /** A call whose result nobody needs isn't made. */
  call: 8,
  /** A column isn't written. */
  write: 4,
  /** An order is reversed, or gone. */
  order: 2,
} as const;

export type Kind = keyof typeof KINDS;

/** One small fault in one file. */
export interface Mutant {
  /** Relative to the project's root. */
  file: string;
  /** Counts from 1. */
  line: number;
  kind: Kind;
  /** Where the original is in the file's text, and what's there instead. */
  start: number;
  end: number;
  replacement: string;
  original: string;
  /** The function it's in, by {@link functionKey}; empty for what runs when the module loads. */
  within: string;
}

/** What a mutator finds. */
export type Change = Pick<Mutant, 'kind' | 'start' | 'end' | 'replacement'>;

const ATTEMPT = /generation|attempt|layout|lease|revision|version|token|spent|isCurrent|expected/i;

/** Returns the kind of a dropped condition by what it says. */
export const conditionKind = (text: string): Kind => (ATTEMPT.test(text) ? 'attempt' : 'condition');

/** Returns a name that finds the mutant again, in a report and on the command line. */
export const mutantName = ({ file, line, start, end, replacement }: Mutant): string => {
  let hash = 0;
  for (const character of `${start}:${end}:${replacement}`)
    hash = (hash * 31 + character.charCodeAt(0)) % 1_679_616;
  return `${file}:${line}:${hash.toString(36).padStart(4, '0')}`;
};
