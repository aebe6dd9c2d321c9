import { describe, expect, it } from 'vitest';
import { formatBytes, formatDuration, formatSpan, formatSpanInWords } from './format';

it.each([
  [0, '0.00 B'],
  [999, '999.00 B'],
  [1000, '1.00 kB'],
  [1_500_000, '1.50 MB'],
  [999_999, '1.00 MB'],
  [5e9, '5.00 GB'],
  [2e15, '2.00 PB'],
  [4e18, '4000.00 PB'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it.each([
  [12e9, '12.00 GB'],
  [12_000_000_001, '12.01 GB'],
  [1_100_000_000, '1.10 GB'],
  [999_999_999, '1.00 GB'],
])('says of %d bytes that %s are enough', (bytes, text) => {
  expect(formatBytes(bytes, 'up')).toBe(text);
});

it.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [5400, '1.5 hours'],
  [10_800, '3 hours'],
  [86_399.9, '1 day'],
  [126_000, '1.46 days'],
])('writes %d seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

describe('a duration in everyday form', () => {
  it.each([
    [0, '0 s', '0 seconds'],
    [0.4, '0 s', '0 seconds'],
    [1, '1 s', '1 second'],
    [135, '2 min 15 s', '2 minutes and 15 seconds'],
    [3599.6, '1 h', '1 hour'],
    [3661, '1 h 1 min', '1 hour and 1 minute'],
    [73_800, '20 h 30 min', '20 hours and 30 minutes'],
    [612_000, '170 h', '170 hours'],
    [3_600_000, '1,000 h', '1,000 hours'],
  ])('of %f seconds is %s', (seconds, short, long) => {
    expect(formatSpan(seconds)).toBe(short);
    expect(formatSpanInWords(seconds)).toBe(long);
  });
});
