import { monthName } from './calendar-names';

/** Formats `2026-01` as January 2026. */
export function formatMonth(month: string): string {
  const [year, number] = month.split('-');
  return `${monthName(Number(number))} ${year ?? ''}`;
}

/** Returns the month (`YYYY-MM`) that is `count` months later, or earlier when negative. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7);
}

/** Returns how many days a month (`YYYY-MM`) has. */
export function daysInMonth(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

/**
 * Returns a month's weeks as days of the month, null for days outside it.
 * @param firstWeekday the day that weeks begin with, from 0 for Sunday to 6 for Saturday
 */
export function getMonthWeeks(month: string, firstWeekday = 0): (number | null)[][] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const before = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() - firstWeekday + 7) % 7;
  const count = daysInMonth(month);
  return Array.from({ length: Math.ceil((before + count) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const day = week * 7 + weekday - before + 1;
      return day >= 1 && day <= count ? day : null;
    }),
  );
}
