import pLimit from 'p-limit';
import { withJobWaits } from '@/lib/foundation/admission';
import type { Finding } from '@/lib/operations/health/finding';
import { type AccountRange, accountRanges } from './account-ranges';
import { compareEntryFiles, compareExportFiles } from './files';
import { DATA_CHECKS } from './finding-kinds';
import { type Comparison, Findings } from './findings';
import { compareSearchIndex } from './search-index';
import { compareTextCounts } from './text-counts';
import { compareUnfinishedUploads, compareUnfinishedWork } from './unfinished';

/** How many ranges of accounts are compared at once. */
const PARALLEL = 4;

export interface ComparisonOptions extends Pick<Comparison, 'only' | 'isThorough' | 'mayRepair'> {
  /** Whether to delete videos that belong to no row, too, and other files even if that's most of what storage has. */
  mayDeleteMany: boolean;
  /** Milliseconds since 1970, by which the age of objects counts. */
  now?: number;
}

const TOO_MANY =
  'Nothing that the database doesn’t know was deleted, because there’s so much of it. DATABASE_URL or S3_BUCKET may belong to another installation, or the database was restored from an older backup. If you’re sure all of it can go, add --delete-many.';

/** Returns whether storage has so much without a row that the settings or the database are more likely to be wrong. */
function isSuspicious({ owned, unowned }: Comparison['folders']): boolean {
  return unowned > owned || (unowned > 100 && unowned > owned / 10);
}

/** Compares range by range. @throws the first error */
async function compareRanges(
  comparison: Comparison,
  compare: ((comparison: Comparison, range: AccountRange) => Promise<void>)[],
): Promise<void> {
  const limit = pLimit(PARALLEL);
  const ranges = await accountRanges(comparison.only);
  await limit.map(ranges, async (range) => {
    for (const one of compare) await one(comparison, range);
  });
}

/**
 * Compares the database with storage in both directions, and the search index and the counts with what they're made of. Needs memory for a
 * few thousand entries at a time, or for all of an account that has more.
 * @returns what it found, by check
 */
export function compareData(options: ComparisonOptions): Promise<(Finding & { name: string })[]> {
  return withJobWaits(async () => {
    const findings = new Findings();
    const { only, isThorough, mayRepair, now = Date.now() } = options;
    const folders = { owned: 0, unowned: 0 };
    const mayDeleteVideos = mayRepair && options.mayDeleteMany;
    const none = { mayDelete: false, mayDeleteVideos: false };
    const comparison = { findings, only, isThorough, mayRepair, ...none, now, folders };
    const files = [compareEntryFiles, compareExportFiles];
    await compareRanges(comparison, [...files, compareTextCounts, compareSearchIndex]);
    if (only === '') await compareUnfinishedWork(comparison);
    // Only now is it known how much belongs to nothing.
    const isRefused = mayRepair && !mayDeleteVideos && isSuspicious(folders);
    const mayDelete = mayRepair && !isRefused;
    await compareUnfinishedUploads({ ...comparison, mayDelete });
    if (mayDelete && folders.unowned > 0) {
      const others = { ...comparison, findings: new Findings(), mayRepair: false };
      await compareRanges({ ...others, mayDelete, mayDeleteVideos }, files);
      for (const kind of ['object-unowned', 'video-unowned'] as const) findings.take(kind, others.findings);
    }
    return DATA_CHECKS.map((name) => {
      const { problems, notes } = findings.describe(name, mayRepair);
      if (isRefused && name === 'Files') problems.push(TOO_MANY);
      return { name, problems, notes };
    });
  });
}
