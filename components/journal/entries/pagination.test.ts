import { describe, expect, it } from 'vitest';
import { pageNumbers } from './pagination';

describe('page numbers', () => {
  it('lists every page of a short list', () => {
    expect(pageNumbers(2, 5)).toEqual([1, 2, 3, 4, 5]);
    expect(pageNumbers(1, 15)).toHaveLength(15);
  });

  it('lists the ends, the neighbors and some pages in between of a long list', () => {
    const shown = pageNumbers(100, 6084);
    for (const number of [1, 98, 100, 102, 3043, 6084]) expect(shown).toContain(number);
    expect(shown.length).toBeLessThan(25);
    expect(pageNumbers(1, 16).filter((number) => number === 'gap').length).toBeGreaterThan(0);
  });

  it('never repeats a number or leaves the range', () => {
    for (let pages = 1; pages < 60; pages += 1) {
      for (let page = 1; page <= pages; page += 1) {
        const numbers = pageNumbers(page, pages).filter((number) => number !== 'gap');
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        expect([numbers[0], numbers.at(-1)]).toEqual([1, pages]);
        expect(numbers).toContain(page);
      }
    }
  });
});
