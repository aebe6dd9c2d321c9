import { formatBytes } from '@/lib/billing/plans/shared/format';
import { type DataCheck, type FindingKind, KINDS, type KindDetails } from './finding-kinds';

/** How many ids are printed of a kind that doesn't list all. */
const MAX_EXAMPLES = 5;

/** What's known of each kind, whatever its check. */
const DETAILS: Record<FindingKind, KindDetails> = Object.assign({}, ...Object.values(KINDS));

interface Tally {
  found: number;
  repaired: number;
  bytes: number;
  /** Ids of those that weren't repaired. */
  examples: string[];
  /** There may be more that weren't looked at. */
  isPartial: boolean;
}

/** Counts what was found, and keeps ids to print. */
export class Findings {
  private readonly tallies = new Map<FindingKind, Tally>();

  /** @param id of an entry, account, or row, or a key: never what somebody wrote */
  add(kind: FindingKind, id: string, { isRepaired = false, bytes = 0 } = {}): void {
    const tally = this.tallies.get(kind) ?? {
      found: 0,
      repaired: 0,
      bytes: 0,
      examples: [],
      isPartial: false,
    };
    this.tallies.set(kind, tally);
    tally.found += 1;
    tally.bytes += bytes;
    if (isRepaired) tally.repaired += 1;
    else if (DETAILS[kind].listsAll || tally.examples.length < MAX_EXAMPLES) tally.examples.push(id);
  }

  /** Notes that there may be more of a kind that was found than have been added. */
  expectMore(kind: FindingKind): void {
    const tally = this.tallies.get(kind);
    if (tally) tally.isPartial = true;
  }

  /** Replaces what's known of a kind by what others have found. */
  take(kind: FindingKind, others: Findings): void {
    const found = others.tallies.get(kind);
    if (found) this.tallies.set(kind, found);
    else this.tallies.delete(kind);
  }

  /** Returns what to print about a check. */
  describe(check: DataCheck, mayRepair: boolean): { problems: string[]; notes: string[] } {
    const described = { problems: [] as string[], notes: [] as string[] };
    for (const [kind, details] of Object.entries(KINDS[check]) as [FindingKind, KindDetails][]) {
      const tally = this.tallies.get(kind);
      if (!tally) continue;
      const isRight = details.isNote || (tally.repaired === tally.found && !tally.isPartial);
      described[isRight ? 'notes' : 'problems'].push(describeTally(details, tally, mayRepair));
    }
    return described;
  }
}

function describeTally(
  { counted: [one, many], is, repair, todo, listsAll }: KindDetails,
  tally: Tally,
  mayRepair: boolean,
): string {
  const { found, repaired, bytes, examples, isPartial } = tally;
  const size = bytes > 0 ? ` (${formatBytes(bytes)})` : '';
  const count = `${isPartial ? 'At least ' : ''}${found.toLocaleString('en-US')}`;
  const lines = [`${count} ${found === 1 ? one : many} ${is}`.trimEnd() + size];
  const isAllRepaired = repaired === found && !isPartial;
  if (repaired > 0) lines.push(isAllRepaired ? 'Repaired.' : `Repaired ${repaired.toLocaleString('en-US')}.`);
  if (isPartial && mayRepair) lines.push('There may be more. Run this again.');
  if (repair && !mayRepair) lines.push(`--repair ${repair}.`);
  if (todo && repaired < found && (mayRepair || !repair)) lines.push(todo);
  if (examples.length > 0) {
    const isAll = examples.length === found - repaired;
    lines.push(`${isAll ? '' : 'For example: '}${examples.join(listsAll ? '\n' : ', ')}`);
  }
  return lines.join('\n');
}

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
 * @param repair returns false if it didn't
 */
export async function attemptRepair(isWanted: boolean, repair: () => PromiseLike<unknown>): Promise<boolean> {
  if (!isWanted) return false;
  return repair().then(
    (done) => done !== false,
    () => false,
  );
}
