import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';

// Arrays instead of Intl, since making its formats takes a page longer than all of its dates do.
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** From Sunday on. */
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Returns the name of a month, which counts from 1. */
export const monthName = (month: number): string => MONTHS[month - 1] ?? '';

/** Returns the name of a date's weekday. */
export const weekdayOf = ({ year, month, day }: CalendarDate): string =>
  WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? '';
