import {
  addDays,
  type CalendarDate,
  compareDates,
  fromIso,
  fromParts,
  toIso,
} from '@/lib/journal/entries/shared/calendar';

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** Returns the index of a name that's typed in full or by its first letters, of which three are enough, or -1. */
const indexOfName = (typed: string, names: string[]): number =>
  names.findIndex((name) => name.startsWith(typed));

/** Returns the date in the year that's typed or, without one, the latest that isn't after today. */
function inYear(month: number, day: number, year: string | undefined, today: CalendarDate) {
  if (year) return fromParts({ year: Number(year), month, day });
  // Up to eight years back, for a leap day.
  for (let back = 0; back <= 8; back += 1) {
    const date = fromParts({ year: today.year - back, month, day });
    if (date && compareDates(date, today) <= 0) return date;
  }
  return null;
}

/**
 * Reads a day as people type it: 11/18/2026, 11/18, 2026-11-18, nov 18, 18 November 2025, today, yesterday, or a weekday,
 * which is the latest one. Returns null for anything else.
 */
export function readTypedDay(typed: string, today: CalendarDate): CalendarDate | null {
  const text = typed.trim().toLowerCase().replace(/[,.]/g, ' ').replace(/\s+/g, ' ').trim();
  if (text === 'today') return today;
  if (text === 'yesterday') return addDays(today, -1);
  const numbers = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(text);
  if (numbers) return inYear(Number(numbers[1]), Number(numbers[2]), numbers[3], today);
  const named =
    /^(?<name>[a-z]{3,9}) (?<day>\d{1,2})(?:st|nd|rd|th)?(?: (?<year>\d{4}))?$/.exec(text) ??
    /^(?<day>\d{1,2})(?:st|nd|rd|th)? (?<name>[a-z]{3,9})(?: (?<year>\d{4}))?$/.exec(text);
  if (named?.groups) {
    const { name = '', day, year } = named.groups;
    const month = indexOfName(name, MONTHS);
    return month < 0 ? null : inYear(month + 1, Number(day), year, today);
  }
  const [last, name = ''] = /^(?:last )?([a-z]{3,9})$/.exec(text) ?? [];
  const weekday = last ? indexOfName(name, WEEKDAYS) : -1;
  if (weekday < 0) return fromIso(text);
  const now = new Date(toIso(today)).getUTCDay();
  return addDays(today, -((now - weekday + 6) % 7) - 1);
}
