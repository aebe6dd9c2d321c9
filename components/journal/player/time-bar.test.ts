import { expect, it } from 'vitest';
import { formatSpokenDuration } from './time-bar';

it.each([
  [0, '0 seconds'],
  [0.9, '0 seconds'],
  [1, '1 second'],
  [65.4, '1 minute 5 seconds'],
  [180, '3 minutes'],
  [3601, '1 hour 1 second'],
  [7322, '2 hours 2 minutes 2 seconds'],
])('formats %d s as %s', (seconds, spoken) => {
  expect(formatSpokenDuration(seconds)).toBe(spoken);
});
