import { expect, it } from 'vitest';
import { createTokenBuckets } from './token-buckets';

it('allows a burst, then as many as come in, each owner by itself', () => {
  const buckets = createTokenBuckets({ perSecond: 2, burst: 3 });
  const take = (owner: string, now: number) => buckets.take(owner, 1, now);
  expect([0, 0, 0, 0].map(() => take('a', 1000))).toEqual([0, 0, 0, 0.5]);
  expect(take('b', 1000)).toBe(0);
  expect(take('a', 1250)).toBe(0.25);
  expect(take('a', 1500)).toBe(0);
  expect(take('a', 1500)).toBe(0.5);
  // A refusal costs nothing, and no more than a burst is ever saved up.
  expect([0, 0, 0, 0].map(() => take('a', 60_000))).toEqual([0, 0, 0, 0.5]);
});

it('takes several at once, or none', () => {
  const buckets = createTokenBuckets({ perSecond: 2, burst: 3 });
  expect(buckets.take('a', 2, 1000)).toBe(0);
  expect(buckets.take('a', 3, 1000)).toBe(1);
  expect(buckets.take('a', 1, 1000)).toBe(0);
  expect(buckets.take('a', 3, 2500)).toBe(0);
});

it('forgets owners who haven’t taken any for a while', () => {
  const buckets = createTokenBuckets({ perSecond: 2, burst: 3 });
  for (let index = 0; index < 1000; index += 1) buckets.take(`owner ${index}`, 1, index);
  expect(buckets.size()).toBeLessThanOrEqual(501);
  buckets.take('last', 1, 10_000);
  expect(buckets.size()).toBe(1);
});
