import { withSafeMessage } from '@/lib/foundation/shared/safe-message';

/** A calendar date without a time zone. Months count from 1. */
export interface CalendarDate {
  day: number;
  month: number;
  year: number;
}

const pad = (value: number, length = 2) => String(value).padStart(length, '0');

/** `YYYY-MM-DD`, the form of requests, of the database and of the gallery. */
export function toIso({ year, month, day }: CalendarDate): string {
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
}

/** `MM/DD/YYYY`, the form people see and type. */
export function formatUsDate({ year, month, day }: CalendarDate): string {
  return `${pad(month)}/${pad(day)}/${pad(year, 4)}`;
}

/** Only dates that exist: 2026-02-30 gives null (checked by a round trip through UTC), as does the year 0, which Postgres refuses. */
export function fromParts({ year, month, day }: CalendarDate): CalendarDate | null {
  if (year < 1) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < 100) date.setUTCFullYear(year);
  const same =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return same ? { year, month, day } : null;
}

/** Parses strictly `YYYY-MM-DD`; null when it is not a date. */
export function fromIso(value: string): CalendarDate | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  return match && fromParts({ year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) });
}

/** A date as the database gives it. @throws Error when it is none */
export function readDate(value: string): CalendarDate {
  const date = fromIso(value);
  if (!date) throw withSafeMessage(new Error('the database gave a date that does not exist'));
  return date;
}

/** Parses strictly `MM/DD/YYYY`; null when it is not a date. */
export function parseUsDate(value: string): CalendarDate | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(value.trim());
  return match && fromParts({ year: Number(match[3]), month: Number(match[1]), day: Number(match[2]) });
}

/** Negative, 0 or positive, as `a` is before, on or after `b`. */
export function compareDates(a: CalendarDate, b: CalendarDate): number {
  return a.year - b.year || a.month - b.month || a.day - b.day;
}

/** Today as this clock's own time zone has it; in the browser, the person's today. */
export function localToday(now = new Date()): CalendarDate {
  return { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() };
}

/** Today in UTC+14, the first place where a day begins: a later date is in the future for everybody. */
export function latestToday(now = Date.now()): CalendarDate {
  const there = new Date(now + 14 * 3600 * 1000);
  return { year: there.getUTCFullYear(), month: there.getUTCMonth() + 1, day: there.getUTCDate() };
}

/** Whether a date may be an entry's: not after `today`, and not more than 100 years before it. */
export function isWithinPast100Years(date: CalendarDate, today: CalendarDate): boolean {
  const earliest = { ...today, year: today.year - 100 };
  return compareDates(date, today) <= 0 && compareDates(date, earliest) >= 0;
}

/** Returns the date so many days later; earlier if negative. */
export function addDays({ year, month, day }: CalendarDate, days: number): CalendarDate {
  const moved = new Date(Date.UTC(year, month - 1, day + days));
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}
