import { type CalendarDate, formatUsDate, toIso } from './calendar';

/** How people can have dates written. Where the specification names a format, that one stays. */
export const DATE_FORMATS = ['MM/DD/YYYY', 'DD/MM/YYYY', 'YYYY-MM-DD', 'MMM D, YYYY'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Returns a date as its reader wants it: `11/18/2026`, `18/11/2026`, `2026-11-18`, or `Nov 18, 2026`. */
export function formatDate(date: CalendarDate, format: DateFormat): string {
  if (format === 'MM/DD/YYYY') return formatUsDate(date);
  if (format === 'YYYY-MM-DD') return toIso(date);
  if (format === 'DD/MM/YYYY') return toIso(date).split('-').reverse().join('/');
  return `${MONTHS[date.month - 1] ?? ''} ${date.day}, ${date.year}`;
}
