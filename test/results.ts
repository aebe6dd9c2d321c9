import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectRoot } from '@/local/up/data-dir';

/**
 * The outcome of a runner. A file that can't be loaded and an error outside of a test count as failed. `failures` names
 * each failed test with its message, `flaky` each test that passed only when retried, with its first failure; both with
 * the traces and screenshots that are kept.
 */
export type TestCounts = {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
  flaky: string[];
};

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests?: number;
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[];
  }[];
};

type PlaywrightError = { message?: string };
type PlaywrightResult = {
  error?: PlaywrightError;
  attachments?: { name: string; path?: string }[];
};
type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    file: string;
    line: number;
    tests: { status: string; results: PlaywrightResult[] }[];
  }[];
};
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: PlaywrightError[];
  suites: PlaywrightSuite[];
};

function readReport<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

const MESSAGE_LENGTH = 1_000;

/** Returns an entry of `failures` or `flaky`, without the colors of a terminal. */
function formatFailure(name: string, message = ''): string {
  const plain = stripVTControlCharacters(message).trim().slice(0, MESSAGE_LENGTH);
  return plain ? `${name}\n${plain.replace(/^/gm, '    ')}` : name;
}

/** Counts one failure for a runner that ends with an error but no failed test, or that ran no test at all. */
function applyExitCode(tally: TestCounts, exitCode: number): TestCounts {
  const ranNothing = tally.passed + tally.failed === 0;
  if (tally.failed > 0 || (exitCode === 0 && !ranNothing)) return tally;
  return { ...tally, failed: 1, failures: [ranNothing ? 'No test ran.' : `It ended with ${exitCode}.`] };
}

const EMPTY_COUNTS: TestCounts = { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };

/** Reads vitest's JSON report; a missing one is a failure. */
export function readVitest(path: string, exitCode: number): TestCounts {
  const report = readReport<VitestReport>(path);
  if (!report) return applyExitCode(EMPTY_COUNTS, exitCode);
  const failures = report.testResults
    .filter((file) => file.status === 'failed')
    .flatMap((file) => {
      const name = relative(projectRoot, file.name);
      const failed = file.assertionResults.filter((test) => test.status === 'failed');
      if (failed.length === 0) return formatFailure(name, file.message);
      return failed.map((test) =>
        formatFailure(`${name} › ${test.fullName}`, test.failureMessages?.join('\n')),
      );
    });
  const tally = {
    passed: report.numPassedTests,
    failed: Math.max(failures.length, report.numFailedTests),
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    failures,
    flaky: [],
  };
  return applyExitCode(tally, exitCode);
}

const specsOf = (suite: PlaywrightSuite): NonNullable<PlaywrightSuite['specs']> => [
  ...(suite.specs ?? []),
  ...(suite.suites ?? []).flatMap(specsOf),
];

/** Returns a line for each trace and screenshot that's kept: the command that shows a trace, or the path. */
const recordingsOf = (results: PlaywrightResult[]): string[] =>
  results
    .flatMap(({ attachments = [] }) => attachments)
    .flatMap(({ name, path }) => {
      if (!path || !['trace', 'screenshot'].includes(name)) return [];
      const kept = relative(projectRoot, path);
      return `    ${name}: ${name === 'trace' ? `npx playwright show-trace ${kept}` : kept}`;
    });

/** Reads Playwright's JSON report; a test that passed on its retry counts as passed and is named in `flaky`. */
export function readPlaywright(path: string, exitCode: number): TestCounts {
  const report = readReport<PlaywrightReport>(path);
  if (!report) return applyExitCode(EMPTY_COUNTS, exitCode);
  const { expected, unexpected, flaky, skipped } = report.stats;
  const specs = report.suites.flatMap(specsOf);
  const named = (status: string): string[] =>
    specs.flatMap((spec) =>
      spec.tests
        .filter((test) => test.status === status)
        .map((test) => {
          const message = test.results.find((result) => result.error)?.error?.message;
          const failure = formatFailure(`e2e/${spec.file}:${spec.line} › ${spec.title}`, message);
          return [failure, ...recordingsOf(test.results)].join('\n');
        }),
    );
  const outside = report.errors.map((error) => formatFailure('outside of a test', error.message));
  return applyExitCode(
    {
      passed: expected + flaky,
      failed: unexpected + outside.length,
      skipped,
      failures: [...named('unexpected'), ...outside],
      flaky: named('flaky'),
    },
    exitCode,
  );
}

/** Adds up the outcomes of several runners. */
export const sumCounts = (tallies: TestCounts[]): TestCounts =>
  tallies.reduce(
    (sum, it) => ({
      passed: sum.passed + it.passed,
      failed: sum.failed + it.failed,
      skipped: sum.skipped + it.skipped,
      failures: [...sum.failures, ...it.failures],
      flaky: [...sum.flaky, ...it.flaky],
    }),
    EMPTY_COUNTS,
  );

/** Returns the end of a run's output: flaky tests, failures, then the line that machines read. */
export const formatSummary = ({ passed, failed, skipped, failures, flaky }: TestCounts): string =>
  [
    ...flaky.map((it) => `flaky: ${it}`),
    ...failures.map((it) => `✗ ${it}`),
    `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`,
  ].join('\n');
