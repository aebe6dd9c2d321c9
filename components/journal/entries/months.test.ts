import { describe, expect, it } from 'vitest';
import { addMonths, formatMonth, getMonthWeeks } from './months';

describe('months', () => {
  it('are named and added up across years', () => {
    expect(formatMonth('2026-01')).toBe('January 2026');
    expect(addMonths('2026-01', -1)).toBe('2025-12');
    expect(addMonths('2025-12', 1)).toBe('2026-01');
  });

  it('are laid out in weeks starting on Sunday', () => {
    const weeks = getMonthWeeks('2026-02');
    expect(weeks[0]).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(weeks).toHaveLength(4);
    expect(getMonthWeeks('2024-02').flat().filter(Boolean)).toHaveLength(29);
    expect(getMonthWeeks('2026-01')[0]).toEqual([null, null, null, null, 1, 2, 3]);
  });

  it.each([
    [1, [null, null, null, 1, 2, 3, 4], 5],
    [6, [null, null, null, null, null, 1, 2], 6],
  ])('may start on another day: %i', (firstWeekday, first, count) => {
    const weeks = getMonthWeeks('2026-10', firstWeekday);
    expect(weeks[0]).toEqual(first);
    expect(weeks).toHaveLength(count);
  });
});
