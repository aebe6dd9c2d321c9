import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currentWord, wordStarts } from './current-word';

const starts = wordStarts([
  { word: 'I', start_time: 0.5, end_time: 0.6 },
  { word: 'called', start_time: 0.7, end_time: 1 },
  { word: 'Dad', start_time: 2.5, end_time: 3 },
]);

describe('currentWord', () => {
  it('is -1 before the first word and without words', () => {
    expect(currentWord(starts, 0.49)).toBe(-1);
    expect(currentWord(new Float64Array(), 10)).toBe(-1);
  });

  it('stays on a word through the pause that follows', () => {
    expect(currentWord(starts, 0.5)).toBe(0);
    expect(currentWord(starts, 0.7)).toBe(1);
    expect(currentWord(starts, 2.4)).toBe(1);
    expect(currentWord(starts, 999)).toBe(2);
  });

  it('matches a linear search', () => {
    const time = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.array(time), time, (times, now) => {
        const sorted = Float64Array.from(times).sort();
        expect(currentWord(sorted, now)).toBe(sorted.findLastIndex((start) => start <= now));
      }),
    );
  });
});
