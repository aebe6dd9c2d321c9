import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { todayIn } from '@/lib/journal/entries/dashboard';
import {
  addDays,
  type CalendarDate,
  compareDates,
  fromIso,
  toIso,
} from '@/lib/journal/entries/shared/calendar';

const HOUR = 3_600_000;
/** How late an email may be, in milliseconds: after that, the evening it was meant for is over. */
export const MAX_LATE_MS = 3 * HOUR;
/** No clock is further from UTC, so a reminder's day has begun nowhere this long before, in milliseconds. */
const MAX_OFFSET = 15 * HOUR;
/** Today's reminder may be over, and a zone that crosses the date line skips a day. */
const MAX_TRIES = 4;

/** An email that's due once a day, or once a week: from 0 to 23 o'clock in a time zone of IANA's. */
export interface Schedule {
  hour: number;
  timeZone: string;
  /** As `Date.getDay` counts: 0 is Sunday. Every day if it's omitted. */
  weekday?: number;
}

type ReadClock = (instant: number) => number;

/** Returns what turns an instant into what a zone's clocks show, as the milliseconds of that date and time in UTC. */
function createClock(timeZone: string): ReadClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const parts = format.formatToParts(instant).filter(({ type }) => type !== 'literal');
    const [month = 0, day, year = 0, hour, minute, second] = parts.map(({ value }) => Number(value));
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
}

/** Returns when clocks change between two instants that differ in their offsets, to the second. */
function findChange(read: ReadClock, from: number, to: number): number {
  const before = read(from) - from;
  let [low, high] = [from, to];
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (read(middle) - middle === before) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Returns the first instant at which clocks show a time or have passed it: the first of two where clocks go back over
 * it, and the change itself where they skip it.
 */
function firstInstant(read: ReadClock, wanted: number): number {
  const start = wanted - MAX_OFFSET;
  const before = read(start) - start;
  const instant = wanted - before;
  if (read(instant) === wanted) return instant;
  const change = findChange(read, start, instant);
  const after = read(change) - change;
  return wanted < change + after ? change : wanted - after;
}

/** Returns when a day's reminder is due; null if the zone skips the whole day. */
function dueOn(day: CalendarDate, hour: number, read: ReadClock): number | null {
  const midnight = Date.parse(toIso(day));
  const instant = firstInstant(read, midnight + hour * HOUR);
  return read(instant) < midnight + 24 * HOUR ? instant : null;
}

/** Returns a date's weekday, as `Date.getDay` counts. */
const weekdayOf = (day: CalendarDate): number => new Date(toIso(day)).getUTCDay();

/**
 * Returns the first time after `now` when an email is due. That's once for each of its dates in the zone's calendar: at the
 * first instant when its clocks show the hour or, if they skip it, right after the gap.
 * @param sentOn the date of the newest one, `YYYY-MM-DD`, whatever the zone was then: only later dates have one
 */
export function nextDue({ hour, timeZone, weekday }: Schedule, now: Date, sentOn: string | null): Date {
  const read = createClock(timeZone);
  const today = todayIn(timeZone, now);
  const sent = sentOn === null ? null : fromIso(sentOn);
  let day = sent && compareDates(sent, today) >= 0 ? addDays(sent, 1) : today;
  const tries = weekday === undefined ? MAX_TRIES : MAX_TRIES * 7;
  for (let tried = 0; tried < tries; tried += 1) {
    const isWanted = weekday === undefined || weekdayOf(day) === weekday;
    const instant = isWanted ? dueOn(day, hour, read) : null;
    if (instant !== null && instant > now.getTime()) return new Date(instant);
    day = addDays(day, 1);
  }
  throw withSafeMessage(new Error('no email is due in the coming days'));
}
