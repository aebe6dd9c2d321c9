import type { DaySeconds } from '@/lib/journal/entries/pace';
import { addMonths, daysInMonth } from './months';

const DAY = 86_400_000;

/** The space that a day takes, in the drawing's units. */
export const DOT_GRID = 21;

/** The radius of days without an entry. */
export const QUIET_RADIUS = 1.7;
/** Radii of days with little, and with ten minutes or more. */
const SMALLEST = 3;
const LARGEST = 8.6;
const FULL_SECONDS = 600;

/** From how many seconds a day has a level of heat. */
const LEVELS = [1, 120, 300, 600];

/** A day in a drawing of weeks. */
export interface DayDot {
  /** `YYYY-MM-DD`. */
  day: string;
  /** From 0, the week of the first day. Weeks start on Sunday. */
  week: number;
  /** From 0, Sunday. */
  weekday: number;
  seconds: number;
  /** From 1 to 4; 0 for a day without an entry. */
  level: number;
  radius: number;
}

const toIso = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Returns how strongly a day with this many seconds is colored. */
const heatLevel = (seconds: number): number => Math.max(1, LEVELS.filter((from) => seconds >= from).length);

/** Returns a day's radius: its area grows with the time, up to ten minutes. */
function dotRadius(seconds: number): number {
  const share = Math.sqrt(Math.min(1, seconds / FULL_SECONDS));
  return Math.round((SMALLEST + share * (LARGEST - SMALLEST)) * 10) / 10;
}

/** Returns the Sunday of a day's week, in milliseconds since 1970. */
function startOfWeek(day: string): number {
  const time = Date.parse(day);
  return time - new Date(time).getUTCDay() * DAY;
}

/** Returns a day's week, counted from the week of another. */
export const weekOf = (day: string, first: string): number =>
  Math.round((startOfWeek(day) - startOfWeek(first)) / DAY / 7);

/** Returns the Sunday and the Saturday of a week that's counted from the week of a day, `YYYY-MM-DD`. */
export function daysOfWeek(week: number, first: string): { from: string; to: string } {
  const sunday = startOfWeek(first) + week * 7 * DAY;
  return { from: toIso(sunday), to: toIso(sunday + 6 * DAY) };
}

/** Returns the seconds of every day from one to another, both included (`YYYY-MM-DD`); null on days that aren't listed. */
export function listDays(days: readonly DaySeconds[], from: string, to: string): (number | null)[] {
  const seconds = new Map(days.map((one) => [Date.parse(one.day), one.seconds]));
  const first = Date.parse(from);
  const count = Math.round((Date.parse(to) - first) / DAY) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => seconds.get(first + index * DAY) ?? null);
}

/** Returns so many dates from one on. A `Date` for each of a year takes ten times as long. */
function datesFrom(first: string, count: number): string[] {
  const dates: string[] = [];
  let [month, day] = [first.slice(0, 7), Number(first.slice(8))];
  while (dates.length < count) {
    for (const last = daysInMonth(month); day <= last && dates.length < count; day += 1) {
      dates.push(`${month}-${String(day).padStart(2, '0')}`);
    }
    [month, day] = [addMonths(month, 1), 1];
  }
  return dates;
}

/**
 * Returns a dot for every day from one on (`YYYY-MM-DD`), larger for days with more minutes.
 * @param seconds of each day; null for a day without an entry
 */
export function yearDots(seconds: readonly (number | null)[], from: string): DayDot[] {
  const firstWeekday = new Date(from).getUTCDay();
  const dates = datesFrom(from, seconds.length);
  return seconds.map((recorded, index) => ({
    day: dates[index] ?? '',
    week: Math.floor((firstWeekday + index) / 7),
    weekday: (firstWeekday + index) % 7,
    seconds: recorded ?? 0,
    level: recorded === null ? 0 : heatLevel(recorded),
    radius: recorded === null ? QUIET_RADIUS : dotRadius(recorded),
  }));
}

/** Returns a circle as part of an SVG path. */
export const circlePath = (x: number, y: number, radius: number): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0-${2 * radius} 0z`;
