import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlaywright, readVitest, summary, total } from './results';

const report = (value: unknown): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'daylight-results-')), 'report.json');
  writeFileSync(path, JSON.stringify(value));
  return path;
};

test('a test file that cannot be loaded counts as failed', () => {
  const path = report({
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 0,
    testResults: [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ],
  });
  expect(readVitest(path, 1)).toEqual({ passed: 3, failed: 2, skipped: 2 });
});

test('a runner that ran nothing, wrote nothing or ended badly has failed', () => {
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };
  expect(readVitest(report(none), 0).failed).toBe(1);
  expect(readVitest('/nowhere/report.json', 0).failed).toBe(1);
  expect(readVitest(report({ ...none, numPassedTests: 5 }), 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  expect(readVitest(report({ ...none, numPassedTests: 5 }), 0).failed).toBe(0);
});

test('a browser test that passed only when repeated counts as failed', () => {
  const path = report({ stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 1 }, errors: [] });
  expect(readPlaywright(path, 1)).toEqual({ passed: 4, failed: 2, skipped: 1 });
});

test('the last line is the sum', () => {
  const sum = total([
    { passed: 4, failed: 0, skipped: 0 },
    { passed: 10, failed: 1, skipped: 0 },
  ]);
  expect(summary(sum)).toBe('14 passed, 1 failed');
  expect(summary({ ...sum, skipped: 2 })).toBe('14 passed, 1 failed, 2 skipped');
});
