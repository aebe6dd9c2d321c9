import { expect, it } from 'vitest';
import { downgradeBlocker, type Usage } from './downgrade';
import { PLAN_LIMITS } from './shared/limits';

const { bytes, videos, seconds } = PLAN_LIMITS.Basic;
const full: Usage = { bytes, videos, ms: seconds * 1000 };

it('lets a library change to a plan that it fills exactly', () => {
  expect(downgradeBlocker('Basic', full)).toBe('');
});

it.each([
  ['bytes', { bytes: bytes + 1 }, /^You use .*; Basic holds .*\. Delete .* first\.$/],
  ['videos', { videos: videos + 1 }, /^You have .* videos; Basic holds .*\. Delete 1 first\.$/],
  ['length', { ms: seconds * 1000 + 1 }, /^Your videos last .*; Basic holds .*\. Delete 1 sec.* first\.$/],
])('names the %s of a library that’s just too large, and nothing else', (_, over, sentence) => {
  expect(downgradeBlocker('Basic', { ...full, ...over })).toMatch(sentence);
});
