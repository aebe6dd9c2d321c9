import { describe, expect, it } from 'vitest';
import { titleOfTime } from './suggested-title';

describe('the title of a time', () => {
  it.each([
    [0, 'night'],
    [4, 'night'],
    [5, 'morning'],
    [11, 'morning'],
    [12, 'afternoon'],
    [16, 'afternoon'],
    [17, 'evening'],
    [21, 'evening'],
    [22, 'night'],
    [23, 'night'],
  ])('at %i o’clock is %s', (hour, part) => {
    expect(titleOfTime(new Date(2026, 10, 25, hour, 59))).toBe(`Wednesday ${part}`);
  });
});
