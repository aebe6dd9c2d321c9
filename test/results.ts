import { readFileSync } from 'node:fs';

/** What a runner did; a file that cannot be loaded and an error outside of a test count as failed. */
export type Tally = { passed: number; failed: number; skipped: number };

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests?: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
};

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
};

function readReport<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

/** A runner that ends with an error without a failed test, or without any test at all, has failed once. */
function judged(tally: Tally, exitCode: number): Tally {
  const ranNothing = tally.passed + tally.failed === 0;
  return tally.failed === 0 && (exitCode !== 0 || ranNothing) ? { ...tally, failed: 1 } : tally;
}

const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 };

/** Reads vitest's JSON report; a missing one is a failure. */
export function readVitest(path: string, exitCode: number): Tally {
  const report = readReport<VitestReport>(path);
  if (!report) return judged(NOTHING, exitCode);
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const tally = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
  return judged(tally, exitCode);
}

/** Reads Playwright's JSON report; a test that passed only when repeated counts as failed. */
export function readPlaywright(path: string, exitCode: number): Tally {
  const report = readReport<PlaywrightReport>(path);
  if (!report) return judged(NOTHING, exitCode);
  const { expected, unexpected, flaky, skipped } = report.stats;
  return judged({ passed: expected, failed: unexpected + flaky + report.errors.length, skipped }, exitCode);
}

/** Adds up what the parts of a run did. */
export const total = (tallies: Tally[]): Tally =>
  tallies.reduce(
    (sum, it) => ({
      passed: sum.passed + it.passed,
      failed: sum.failed + it.failed,
      skipped: sum.skipped + it.skipped,
    }),
    NOTHING,
  );

/** The last line of a run, which machines read. */
export const summary = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
