import { describe, expect, it } from 'vitest';
import { countStreak } from './dashboard';

const day = (date: string) => Date.parse(date) / 86_400_000;
const streak = (today: string, ...days: string[]) => countStreak(day(today), new Set(days.map(day)));

describe('days in a row', () => {
  it('count up to today, or to yesterday while today may still come', () => {
    expect(streak('2026-01-03', '2026-01-03', '2026-01-02', '2026-01-01')).toBe(3);
    expect(streak('2026-01-03', '2026-01-02', '2026-01-01')).toBe(2);
    expect(streak('2026-01-04', '2026-01-02')).toBe(0);
    expect(streak('2026-01-04')).toBe(0);
  });

  it('go over ends of months, leap days and changes of the clock', () => {
    expect(streak('2024-03-01', '2024-03-01', '2024-02-29', '2024-02-28')).toBe(3);
    expect(streak('2026-03-30', '2026-03-30', '2026-03-29', '2026-03-28')).toBe(3);
  });

  it('have no end but their own', () => {
    const days = new Set(Array.from({ length: 4000 }, (_, ago) => 20_000 - ago));
    expect(countStreak(20_000, days)).toBe(4000);
  });

  it('forgive one missed day in seven, not two', () => {
    expect(streak('2026-01-05', '2026-01-05', '2026-01-04', '2026-01-02', '2026-01-01')).toBe(4);
    expect(streak('2026-01-06', '2026-01-06', '2026-01-04', '2026-01-02')).toBe(2);
    expect(streak('2026-01-06', '2026-01-06', '2026-01-03')).toBe(1);
  });
});
