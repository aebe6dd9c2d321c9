import { type CalendarDate, fromParts } from '@/lib/journal/entries/shared/calendar';

/** What a clock showed where a video was recorded. */
export interface LocalTime {
  date: CalendarDate;
  /** Seconds since midnight, 0 to 86,399; null if only the date is known. */
  seconds: number | null;
  /** How many minutes the clock was ahead of UTC; null if that's unknown. */
  offset: number | null;
}

/** A moment, or what a local clock showed. */
export type FoundTime = { instant: number } | { local: LocalTime };

export const DAY_MS = 86_400_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** What clocks show that have never been set: the epochs of file formats, and the first days of cameras. */
const CLOCK_RESETS = new Set([1970, 1980, 2000].map((year) => Date.UTC(year, 0, 1)));
const FIRST_PLAUSIBLE = Date.UTC(1970, 0, 2);

/** Returns whether a video may have been recorded then: not by a clock that was never set, and not after `now`. */
export const isPlausibleTime = (instant: number, now: number) =>
  instant >= FIRST_PLAUSIBLE && instant <= now + DAY_MS && !CLOCK_RESETS.has(instant);

/** Returns whether a camera may have recorded on a date, in some time zone, whose clock was never set. */
export const isClockReset = (date: CalendarDate) =>
  [...CLOCK_RESETS].some((reset) => Math.abs(clockTime({ date, seconds: null }) - reset) <= DAY_MS);

/** Returns the month, 1 to 12, of an English name or its first three letters; 0 if it's none. */
export const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

/** Returns a time of day in seconds since midnight; null if there's no such time. */
export const toSeconds = (hour: number, minute: number, second: number): number | null =>
  hour < 24 && minute < 60 && second < 60 ? (hour * 60 + minute) * 60 + second : null;

/** Returns what a clock showed in milliseconds since 1970, as if it had shown UTC; midnight without a time of day. */
export const clockTime = ({ date, seconds }: Pick<LocalTime, 'date' | 'seconds'>) =>
  Date.UTC(date.year, date.month - 1, date.day) + (seconds ?? 0) * 1000;

/** Returns the date of such milliseconds. */
export function dateOfClock(clock: number): CalendarDate {
  const moment = new Date(clock);
  return { year: moment.getUTCFullYear(), month: moment.getUTCMonth() + 1, day: moment.getUTCDate() };
}

/** Returns what a clock showed by such milliseconds, in an unknown time zone. */
export const localOfClock = (clock: number): LocalTime => ({
  date: dateOfClock(clock),
  seconds: Math.floor((((clock % DAY_MS) + DAY_MS) % DAY_MS) / 1000),
  offset: null,
});

/** ISO 8601, Exif's form with colons, and forms with slashes. */
const NUMBERS =
  /^(\d{4})[-:/](\d\d)[-:/](\d\d)(?:[T /]+(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d:?(?:\d\d)?)?)?$/;
/** What `ctime` in C writes, as cameras do in AVI files: Thu Jul 04 21:30:05 2019. */
const CTIME = /^[A-Z]{3},? +([A-Z]{3}) +(\d{1,2}) +(\d\d):(\d\d):(\d\d) +(\d{4})$/i;

function parseOffset(zone: string | undefined): number | null {
  const parts = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '');
  if (!parts) return null;
  const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? 0);
  return minutes > 14 * 60 ? null : parts[1] === '-' ? -minutes : minutes;
}

/** Parses a time that a container has as text. @returns null if it's none */
export function parseTime(text: string): FoundTime | null {
  const value = text.replaceAll('\0', '').trim();
  const numbers = NUMBERS.exec(value);
  const [, month = '', day, hour, minute, second, year] = CTIME.exec(value) ?? [];
  const date = numbers
    ? fromParts({ year: Number(numbers[1]), month: Number(numbers[2]), day: Number(numbers[3]) })
    : fromParts({ year: Number(year), month: monthOf(month), day: Number(day) });
  if (!date) return null;
  const time = numbers ? numbers.slice(4, 7) : [hour, minute, second];
  const [hours = 0, minutes = 0, left = 0] = time.map((part) => Number(part ?? 0));
  const seconds = time[0] === undefined ? null : toSeconds(hours, minutes, left);
  if (time[0] !== undefined && seconds === null) return null;
  if (numbers?.[7] === 'Z') return { instant: clockTime({ date, seconds }) };
  return { local: { date, seconds, offset: parseOffset(numbers?.[7]) } };
}

/** Returns the moment of a local time whose offset is known; its clock's time otherwise, which is less than a day off. */
export const approximateInstant = (local: LocalTime) => clockTime(local) - (local.offset ?? 0) * 60_000;

const formats = new Map<string, Intl.DateTimeFormat | null>();

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat | null = null;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    // A zone that this browser doesn't know.
  }
  formats.set(zone, format);
  return format;
}

/**
 * Returns how many minutes a zone's clocks were ahead of UTC at a moment, with the rules of that year.
 * @param zone an IANA name, such as America/New_York
 * @returns null if there's no such zone
 */
export function offsetAt(zone: string, instant: number): number | null {
  const name = formatOf(zone)
    ?.formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value;
  // GMT-05:00, or GMT alone.
  return name === undefined ? null : (parseOffset(name.slice('GMT'.length)) ?? 0);
}

/** Returns the moment when a zone's clocks showed a time; the earlier one of two. */
export function instantOf(zone: string, clock: number): number {
  const guess = clock - (offsetAt(zone, clock) ?? 0) * 60_000;
  return clock - (offsetAt(zone, guess) ?? 0) * 60_000;
}
