import { expect, it } from 'vitest';
import { isNodeNewEnough } from '@/local/up/bootstrap.mjs';
import { formatTable, RUNTIMES, readArguments, readSummary } from './versions';

it('runs the oldest Node that starts Daylight', () => {
  const [oldest] = RUNTIMES;
  const [major = 0, minor = 0] = (oldest?.node ?? '').split('.').map(Number);
  expect(isNodeNewEnough(`v${major}.${minor}.0`)).toBe(true);
  expect(isNodeNewEnough(`v${major}.${minor - 1}.0`)).toBe(false);
});

it('runs the versions and the tests that are named, or all', () => {
  expect(readArguments([])).toEqual({ runtimes: RUNTIMES, parts: [] });
  expect(readArguments(['22', 'lib/foundation/http'])).toMatchObject({
    runtimes: [{ node: '22' }],
    parts: ['lib/foundation/http'],
  });
});

it('reads the last line of the tests, and prints a row for each version', () => {
  expect(readSummary('unit 4 s\n12 passed, 1 skipped\n')).toBe('12 passed, 1 skipped');
  expect(readSummary('added 436 packages in 15s')).toBe('');
  const steps = {
    install: { passed: true, seconds: 15, summary: '' },
    'unit tests': { passed: false, seconds: 75, summary: '1 failed' },
  };
  const first = { node: '20.9.0', npm: '10.1.0', steps };
  const second = { node: '22.1.0', npm: '10.9.0', steps: { install: steps.install } };
  expect(formatTable([first, second]).split('\n')).toEqual([
    '| Node | npm | install | unit tests |',
    '| --- | --- | --- | --- |',
    '| 20.9.0 | 10.1.0 | passed, 15 s | failed, 1 min 15 s, 1 failed |',
    '| 22.1.0 | 10.9.0 | passed, 15 s | not run |',
  ]);
});
