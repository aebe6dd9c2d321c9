import { describe, expect, it } from 'vitest';
import { daysOfWeek, listDays, weekOf, yearDots } from './year-dots';

describe('the dots of a year', () => {
  it('have a place for every day, in weeks from Sunday on', () => {
    const dots = yearDots(listDays([], '2026-01-01', '2026-12-31'), '2026-01-01');
    expect(dots).toHaveLength(365);
    // A Thursday.
    expect(dots[0]).toMatchObject({ day: '2026-01-01', week: 0, weekday: 4, level: 0 });
    expect(dots[3]).toMatchObject({ day: '2026-01-04', week: 1, weekday: 0 });
    expect(dots.at(-1)).toMatchObject({ day: '2026-12-31', week: 52, weekday: 4 });
  });

  it('have a leap day, and go on into the next year', () => {
    expect(yearDots([1, null, 1], '2024-02-28').map(({ day }) => day)).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
    expect(yearDots([1, 1], '2025-12-31').map(({ day, week }) => [day, week])).toEqual([
      ['2025-12-31', 0],
      ['2026-01-01', 0],
    ]);
  });

  it('grow with the minutes of a day, and stop at ten', () => {
    const days = [0, 60, 200, 400, 600, 6000].map((seconds, index) => ({
      day: `2026-03-0${index + 1}`,
      seconds,
    }));
    const dots = yearDots(listDays(days, '2026-03-01', '2026-03-07'), '2026-03-01');
    expect(dots.map(({ level }) => level)).toEqual([1, 1, 2, 3, 4, 4, 0]);
    const radii = dots.map(({ radius }) => radius);
    expect(radii.slice(0, 5)).toEqual([...radii.slice(0, 5)].sort((a, b) => a - b));
    expect(radii.slice(4)).toEqual([8.6, 8.6, 1.7]);
  });

  it('know their weeks', () => {
    expect(weekOf('2026-01-03', '2026-01-01')).toBe(0);
    expect(weekOf('2026-01-04', '2026-01-01')).toBe(1);
    expect(weekOf('2026-12-31', '2026-01-01')).toBe(52);
    expect(daysOfWeek(1, '2026-01-01')).toEqual({ from: '2026-01-04', to: '2026-01-10' });
    expect(daysOfWeek(0, '2026-01-01')).toEqual({ from: '2025-12-28', to: '2026-01-03' });
  });
});
