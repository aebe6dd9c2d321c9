import { describe, expect, it } from 'vitest';
import { describeStorageLeft, describeTimeLeft, describeUse, describeVideosLeft } from './limit-sentences';

const today = { year: 2026, month: 11, day: 18 };
const recent = { days: 90, entries: 45, seconds: 45 * 370 };

describe('videos left', () => {
  it.each([
    [36, recent, '36 more. At your pace that lasts until January 29.'],
    [200, recent, '200 more. At your pace that lasts until December 23, 2027.'],
    [1600, recent, '1,600 more.'],
    [0, recent, 'No more videos fit. Delete some to make space.'],
    [36, { ...recent, entries: 2 }, '36 more.'],
    [36, { days: 13, entries: 13, seconds: 0 }, '36 more.'],
    [14, { days: 14, entries: 14, seconds: 0 }, '14 more. At your pace that lasts until December 2.'],
    [30, { days: 0, entries: 0, seconds: 0 }, '30 more.'],
  ])('%i with %j', (left, pace, text) => {
    expect(describeVideosLeft(left, pace, today)).toBe(text);
  });
});

describe('time left', () => {
  it.each([
    [52_200, recent, 'About 145 more entries of six minutes.'],
    [400, recent, 'About 1 more entry of six minutes.'],
    [200, recent, '3 minutes and 20 seconds more.'],
    [3600, { days: 5, entries: 4, seconds: 90 }, 'About 144 more entries of 25 seconds.'],
    [10_800, { days: 0, entries: 0, seconds: 0 }, '3 hours more.'],
    [0, recent, 'All your time is used. Delete entries to make space.'],
  ])('%i with %j', (left, pace, text) => {
    expect(describeTimeLeft(left, pace)).toBe(text);
  });
});

describe('what a plan still has', () => {
  it.each([
    [
      'Basic',
      73_800,
      126_000,
      'You’ve recorded 20 hours and 30 minutes. Basic has space for 14 hours and 30 minutes more.',
    ],
    ['Free', 0, 10_800, 'You haven’t recorded anything yet. Free has space for 3 hours.'],
    ['Free', 10_800, 10_800, 'You’ve recorded 3 hours. That’s all the time Free has.'],
  ])('%s, %i of %i', (plan, use, limit, text) => {
    expect(describeUse(plan, use, limit).join(' ')).toBe(text);
  });
});

it.each([
  [9_700_000_000, '9.70 GB more. Deleting entries frees up space right away.'],
  [0, 'No storage left. Deleting entries frees up space right away.'],
])('says how much storage is left: %i', (left, text) => {
  expect(describeStorageLeft(left)).toBe(text);
});
