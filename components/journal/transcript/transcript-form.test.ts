import { describe, expect, it } from 'vitest';
import { countChanges } from './transcript-form';

describe('countChanges', () => {
  it.each([
    ['one two three', 0],
    [' one  two\n\nthree ', 0],
    ['one 2 three', 1],
    ['1 two 3', 2],
    ['1 2 three', 1],
    ['zero one two three', 1],
    ['one two three four', 1],
    ['one three', 1],
    ['one two', 1],
    ['', 1],
  ])('compares with %j', (after, changes) => {
    expect(countChanges('one two three', after)).toBe(changes);
  });
});
