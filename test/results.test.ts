import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '@/local/up/data-dir';
import { formatSummary, readPlaywright, readVitest, sumCounts } from './results';

const report = (value: unknown): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'daylight-results-')), 'report.json');
  writeFileSync(path, JSON.stringify(value));
  return path;
};

const file = (path: string): string => join(projectRoot, path);

test('a test file that cannot be loaded counts as failed', () => {
  const path = report({
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 0,
    testResults: [
      {
        name: file('lib/a.test.ts'),
        status: 'failed',
        message: 'Cannot find it',
        assertionResults: [],
      },
      {
        name: file('lib/b.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'failed', fullName: 'adds', failureMessages: ['\u001b[31mexpected 2\u001b[39m\nat b'] },
          { status: 'passed', fullName: 'subtracts', failureMessages: [] },
        ],
      },
      {
        name: file('lib/c.test.ts'),
        status: 'passed',
        assertionResults: [{ status: 'passed', fullName: 'c', failureMessages: [] }],
      },
    ],
  });
  expect(readVitest(path, 1)).toEqual({
    passed: 3,
    failed: 2,
    skipped: 2,
    failures: ['lib/a.test.ts\n    Cannot find it', 'lib/b.test.ts › adds\n    expected 2\n    at b'],
    flaky: [],
  });
});

test('a runner that ran nothing, wrote nothing or ended badly has failed', () => {
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };
  expect(readVitest(report(none), 0).failed).toBe(1);
  expect(readVitest('/nowhere/report.json', 0).failed).toBe(1);
  expect(readVitest(report({ ...none, numPassedTests: 5 }), 1)).toEqual({
    passed: 5,
    failed: 1,
    skipped: 0,
    failures: ['It ended with 1.'],
    flaky: [],
  });
  expect(readVitest(report({ ...none, numPassedTests: 5 }), 0).failed).toBe(0);
});

test('a browser test that passed on its retry counts as passed and is named', () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    file: 'journeys/a.spec.ts',
    line: 7,
    tests: [{ status, results: messages.map((message) => ({ error: message ? { message } : undefined })) }],
  });
  const path = report({
    stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 1 },
    errors: [{ message: 'the server ended' }],
    suites: [
      {
        specs: [spec('plays', 'expected', ''), spec('stops', 'flaky', 'too late', '')],
        suites: [{ specs: [spec('pauses', 'unexpected', 'never')] }],
      },
    ],
  });
  expect(readPlaywright(path, 1)).toEqual({
    passed: 5,
    failed: 2,
    skipped: 1,
    failures: ['e2e/journeys/a.spec.ts:7 › pauses\n    never', 'outside of a test\n    the server ended'],
    flaky: ['e2e/journeys/a.spec.ts:7 › stops\n    too late'],
  });
});

test('a failed browser test names the trace and the screenshot that are kept', () => {
  const kept = (name: string, path: string) => ({ name, path: file(`test-results/a/${path}`) });
  const results = [
    { error: { message: 'never' }, attachments: [kept('screenshot', 'test-failed-1.png')] },
    { error: { message: 'never' }, attachments: [kept('trace', 'trace.zip'), { name: 'stdout' }] },
  ];
  const spec = { title: 'pauses', file: 'a.spec.ts', line: 7, tests: [{ status: 'unexpected', results }] };
  const path = report({
    stats: { expected: 0, unexpected: 1, flaky: 0, skipped: 0 },
    errors: [],
    suites: [{ specs: [spec] }],
  });
  expect(readPlaywright(path, 1).failures).toEqual([
    [
      'e2e/a.spec.ts:7 › pauses',
      '    never',
      '    screenshot: test-results/a/test-failed-1.png',
      '    trace: npx playwright show-trace test-results/a/trace.zip',
    ].join('\n'),
  ]);
});

test('the end names what was flaky and what failed, and its last line is the sum', () => {
  const sum = sumCounts([
    { passed: 4, failed: 0, skipped: 0, failures: [], flaky: ['e2e/a.spec.ts:7 › stops'] },
    { passed: 10, failed: 1, skipped: 0, failures: ['lib/b.test.ts › adds'], flaky: [] },
  ]);
  expect(formatSummary(sum)).toBe(
    'flaky: e2e/a.spec.ts:7 › stops\n✗ lib/b.test.ts › adds\n14 passed, 1 failed',
  );
  expect(formatSummary({ ...sum, skipped: 2, failures: [], flaky: [] })).toBe(
    '14 passed, 1 failed, 2 skipped',
  );
});
