import { expect, it } from 'vitest';
import { formatTimeLeft } from './time-left';

it.each([
  [3, 'A few seconds left'],
  [31, 'About 40 seconds left'],
  [70, 'About a minute left'],
  [100, 'About 2 minutes left'],
  [3600, 'About an hour left'],
  [5000, 'About 1.5 hours left'],
])('formats %s seconds in words', (seconds, words) => {
  expect(formatTimeLeft(seconds)).toBe(words);
});
