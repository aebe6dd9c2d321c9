import { expect, it } from 'vitest';
import { VICTIMS } from './options';
import { lifetime } from './process-fixtures';
import { formatReport, type LoadResult } from './report';

const result: LoadResult = {
  options: { minutes: 10, people: 3, uploads: 2, seed: 7, kill: [...VICTIMS], drainMinutes: 5 },
  drainSeconds: 12,
  outcomes: [1000, 3000].map((playableMs, index) => ({
    ...{ title: `Upload ${index}`, kind: 'copied', person: 0, at: 0, entryId: 'e', edits: null },
    ...{ problem: null, sentMs: 200, playableMs },
  })),
  kills: [{ victim: 'web', at: 1, downMs: 4000, startMs: 2000, healthyMs: null }],
  requests: { site: { 200: 9, 502: 1 }, storage: {} },
  retries: { '503: Busy.': 2 },
  lifetimes: [lifetime('web 1', 10, () => 200e6)],
  checks: [{ name: 'Everything is there', problems: [] }],
};

it('says what happened, and that it passed', () => {
  const report = formatReport(result);
  expect(report).toContain('**Passed.**');
  expect(report).toContain('- ✓ Everything is there');
  expect(report).toContain('| copied | 2 | 2 | 3.0 s | 3.0 s | 3.0 s |');
  expect(report).toContain('| web | 1 | 4.0 s | 2.0 s | 2.0 s | –, 1 times not within 2 min |');
  expect(report).toContain('- site: 9 × 200, 1 × 502');
  expect(report).toContain('- tried again by hand: 2 × 503: Busy.');
  expect(report).toContain('| web 1 (1) | 10.0 min | 200 MB / 200 MB / 200 MB | +0 MB | 30 / 30 / 30 | +0 |');
});

it('says what failed', () => {
  const report = formatReport({
    ...result,
    checks: [{ name: 'Everything is there', problems: ['a is gone'] }],
  });
  expect(report).toContain('**Failed: 1 of 1 checks.**');
  expect(report).toContain('- ✗ Everything is there\n  - a is gone');
});
