import type { Findings } from './findings';

/** What a comparison does, and where it counts what it finds. */
export interface Comparison {
  findings: Findings;
  /** What the ids of the accounts start with; empty for all of them. */
  only: string;
  /** Whether to compare every word of the search index, which takes long. */
  isThorough: boolean;
  /** Whether to repair what's safe to repair. */
  mayRepair: boolean;
  /** Whether to delete what belongs to no row, too, except for videos. */
  mayDelete: boolean;
  /** Whether to delete videos that belong to no row: the operator has said so. */
  mayDeleteVideos: boolean;
  /** Milliseconds since 1970. */
  now: number;
  /** How many entries and archives storage has that belong to a row, and that don't. */
  folders: { owned: number; unowned: number };
}

/**
 * Repairs something, if that's wanted. A repair that fails is counted as not done: the next run tries again.
 * @param repair returns whether it did
 */
export async function attemptRepair(isWanted: boolean, repair: () => Promise<boolean>): Promise<boolean> {
  return isWanted && (await repair().catch(() => false));
}
