import { formatBytes } from '@/lib/billing/plans/shared/format';
import { type DataCheck, type FindingKind, KINDS, type KindDetails } from './finding-kinds';

/** How many ids are printed of a kind that doesn't list all. */
const MAX_EXAMPLES = 5;

/** Returns what's known of a kind, whose optional fields the type of the list leaves out. */
const detailsOf = (kind: FindingKind): KindDetails => KINDS[kind];

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
    else if (detailsOf(kind).listsAll || tally.examples.length < MAX_EXAMPLES) tally.examples.push(id);
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
    for (const [kind, details] of Object.entries(KINDS) as [FindingKind, KindDetails][]) {
      const tally = this.tallies.get(kind);
      if (!tally || details.check !== check) continue;
      const isRight = details.isNote || (tally.repaired === tally.found && !tally.isPartial);
      described[isRight ? 'notes' : 'problems'].push(describeTally(details, tally, mayRepair));
    }
    return described;
  }
}

function describeTally(
  { one, many, is, repair, todo, listsAll }: KindDetails,
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
