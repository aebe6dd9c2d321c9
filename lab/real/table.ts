import type { TestCounts } from '@/test/results';
import type { RealServer } from './servers/server';

/** What came of one server. */
export interface ServerResult {
  name: string;
  /** Why it didn't run, or null. */
  skipped: string | null;
  suites: { name: string; counts: TestCounts; differences: string[]; duration: string }[];
}

/**
 * Takes the failures that a server is known for out of the counts.
 * @returns the rest, and a line with the reason for each of those failures
 */
export function separateDifferences(
  counts: TestCounts,
  known: RealServer['differences'],
): { counts: TestCounts; differences: string[] } {
  const differences: string[] = [];
  const failures = counts.failures.filter((failure) => {
    const [title = ''] = failure.split('\n');
    const reason = Object.entries(known).find(([part]) => title.includes(part))?.[1];
    if (reason) differences.push(`${title}: ${reason}`);
    return !reason;
  });
  return { counts: { ...counts, failed: counts.failed - differences.length, failures }, differences };
}

const describe = ({ name, counts, differences, duration }: ServerResult['suites'][number]): string =>
  [
    `${name}: ${counts.passed} passed`,
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(differences.length > 0 ? [`${differences.length} known differences`] : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} not for a real server`] : []),
    duration,
  ].join(', ');

/** Returns the table at the end of a run: a line for each server and suite. */
export function formatTable(results: ServerResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  return results
    .flatMap(({ name, skipped, suites }) => {
      const lines = skipped ? [`skipped: ${skipped}`] : suites.map(describe);
      return lines.map((line, index) => `${(index === 0 ? name : '').padEnd(width)}  ${line}`);
    })
    .join('\n');
}

/** Returns whether a test failed for a reason that isn't known. */
export const hasFailed = (results: ServerResult[]): boolean =>
  results.some(({ suites }) => suites.some(({ counts }) => counts.failed > 0));
