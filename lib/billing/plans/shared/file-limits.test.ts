import { describe, expect, it } from 'vitest';
import {
  copiedLimits,
  describeLimits,
  findExceededLimit,
  findLimitProblem,
  nearestLimit,
} from './file-limits';

const GB = 1e9;

describe('the limit that a recording reaches first', () => {
  const limits = { bytes: 4 * GB, seconds: 3600 };

  it.each([
    // Ten minutes so far, of a rate at which 4 GB last for ten hours, four hours, or half an hour.
    ['its length at a low rate', GB / 15, { limit: '1 hour', secondsLeft: 3000 }],
    ['its length at a middle rate', GB / 6, { limit: '1 hour', secondsLeft: 3000 }],
    ['its size at a high rate', (4 * GB) / 3, { limit: '4 GB', secondsLeft: 1200 }],
    ['its length if both come at once', (4 * GB) / 6, { limit: '1 hour', secondsLeft: 3000 }],
    ['its length before anything has come', 0, { limit: '1 hour', secondsLeft: 3000 }],
  ])('is %s', (_, bytes, expected) => {
    const { limit, secondsLeft } = nearestLimit(limits, { bytes, seconds: 600 });
    expect({ limit, secondsLeft }).toEqual({
      ...expected,
      secondsLeft: expect.closeTo(expected.secondsLeft, 3),
    });
  });

  it('is its size, if any length is fine', () => {
    const sizeOnly = { ...limits, seconds: null };
    expect(nearestLimit(sizeOnly, { bytes: GB, seconds: 600 })).toEqual({ limit: '4 GB', secondsLeft: 1800 });
    expect(nearestLimit(sizeOnly, { bytes: 0, seconds: 0 }).secondsLeft).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a video', () => {
  const limits = { bytes: 1.5 * GB, seconds: 90 };
  const size = {
    problem: 'This file is too large. Videos can be up to 1.5 GB.',
    advice: 'Compress it, or split it into shorter videos.',
  };
  const length = {
    problem: 'This video is too long. Videos can be up to 1.5 minutes.',
    advice: 'Split it into shorter videos.',
  };

  it.each([
    ['as large and long as it may be', { bytes: 1.5 * GB, seconds: 90 }, null],
    ['of which nothing is known', {}, null],
    ['a byte larger', { bytes: 1.5 * GB + 1, seconds: 90 }, size],
    ['a bit longer', { bytes: 1, seconds: 90.01 }, length],
    ['larger and longer', { bytes: 2 * GB, seconds: 100 }, size],
  ])('%s', (_, video, exceeded) => {
    expect(findExceededLimit(limits, video)).toEqual(exceeded);
    expect(findLimitProblem(limits, video)).toBe(exceeded && `${exceeded.problem} ${exceeded.advice}`);
  });

  it('of any length is too large at most', () => {
    expect(findExceededLimit({ ...limits, seconds: null }, { bytes: 1, seconds: 1e9 })).toBeNull();
  });

  it('that’s only copied may be longer where that’s said', () => {
    expect(copiedLimits({ ...limits, copiedSeconds: 600 })).toEqual({ ...limits, seconds: 600 });
    expect(copiedLimits({ ...limits, copiedSeconds: null })).toEqual({ ...limits, seconds: null });
    expect(copiedLimits(limits)).toEqual(limits);
  });

  it('is described by what it may be', () => {
    expect(describeLimits(limits)).toBe('Videos can be up to 1.5 minutes long and 1.5 GB.');
    expect(describeLimits({ bytes: 4 * GB, seconds: null })).toBe('Videos can be up to 4 GB.');
  });
});
