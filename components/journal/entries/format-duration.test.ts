import { expect, it } from 'vitest';
import { formatDuration } from './format-duration';

it.each([
  [0, '0:00'],
  [47.9, '0:47'],
  [664, '11:04'],
  [3600, '1:00:00'],
  [3723, '1:02:03'],
  [-1, '0:00'],
])('formats %d seconds as %s', (seconds, shown) => {
  expect(formatDuration(seconds)).toBe(shown);
});
