import { describe, expect, it } from 'vitest';
import { DATE_FORMATS, formatDate } from './date-format';

describe('a date', () => {
  it.each([
    ['MM/DD/YYYY', '11/08/2026'],
    ['DD/MM/YYYY', '08/11/2026'],
    ['YYYY-MM-DD', '2026-11-08'],
    ['MMM D, YYYY', 'Nov 8, 2026'],
  ] as const)('is written as %s', (format, text) => {
    expect(formatDate({ year: 2026, month: 11, day: 8 }, format)).toBe(text);
  });

  it('keeps four digits for early years where the format has them', () => {
    const early = { year: 987, month: 1, day: 2 };
    expect(DATE_FORMATS.map((format) => formatDate(early, format))).toEqual([
      '01/02/0987',
      '02/01/0987',
      '0987-01-02',
      'Jan 2, 987',
    ]);
  });
});
