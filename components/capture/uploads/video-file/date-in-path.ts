import { type CalendarDate, compareDates, fromParts } from '@/lib/journal/entries/shared/calendar';
import { clockTime, type FoundTime, isPlausibleTime, monthOf, toSeconds } from './local-time';

/** A time in a name. */
export interface NameTime {
  time: FoundTime;
  /** The other reading of a date such as 07-04-2019, which is April 7 in most countries, or 07.04.2019. */
  alternative: CalendarDate | null;
  /** Whether the day may be another number, as in `3 cats.mp4`. */
  isNumber?: boolean;
}

type Parts = Record<string, string | undefined>;

const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
/** What may follow a date: 21.30.05, T213005Z, at 9.30.05 PM, or nine digits with milliseconds. */
const CLOCK =
  '(?:(?:[-_ T.,]{0,3}| at )(?<hour>\\d\\d)(?<minute>\\d\\d)(?<second>\\d\\d)(?:\\.?\\d{3})?(?<zulu>Z)?(?!\\d)' +
  '|(?:[-_ T.,]{1,3}| at )(?<hour2>\\d{1,2})(?<sep>[-.:_h])(?<minute2>\\d\\d)(?:[-.:_m](?<second2>\\d\\d))?(?!\\d)(?:[\\s\\u202f]?(?<half>[ap])\\.?m\\b)?)?';
const YEAR = '(?<year>(?:19|20)\\d\\d)';
const named = (source: string) => new RegExp(source + CLOCK, 'i');

/** Year, month, day. Without separators, a time may follow at once: 20190704213005. */
const YEAR_FIRST = [
  named(`(?<!\\d)${YEAR}(?<m>\\d\\d)(?<d>\\d\\d)(?!\\d(?!\\d{5}(?:\\d{3})?(?!\\d)))`),
  named(`(?<!\\d)${YEAR}(?<s>[-_. ])(?<m>\\d\\d)\\k<s>(?<d>\\d\\d)(?!\\d)`),
  named(`(?<!\\d)${YEAR}[-_. ]+${MONTH}[-_. ]+(?<d>\\d{1,2})(?!\\d)`),
];
const MONTH_NAME = [
  named(`(?<![a-z])${MONTH}[-_. ]+(?<d>\\d{1,2})(?:st|nd|rd|th)?[-_., ]+${YEAR}(?!\\d)`),
  named(`(?<!\\d)(?<d>\\d{1,2})(?:st|nd|rd|th)?[-_. ]*${MONTH}[-_., ]*${YEAR}(?!\\d)`),
];
/** Day first with dots, as in Europe; month first otherwise, as in the United States. */
const DOTS = named(`(?<![\\d.])(?<a>\\d\\d)\\.(?<b>\\d\\d)\\.${YEAR}(?!\\d)`);
const DASHES = named(`(?<!\\d)(?<a>\\d\\d)(?<s>[-_ ])(?<b>\\d\\d)\\k<s>${YEAR}(?!\\d)`);
/** Milliseconds since 1970, as Android apps name files. */
const UNIX_TIME = /(?<!\d)(1\d{12})(?!\d)/;
/** Pixel phones name files by UTC. */
const PIXEL = /^PXL_/i;
const FIRST_COMPACT_YEAR = 1970;

function secondsOf(parts: Parts): number | null {
  const hour = Number(parts.hour ?? parts.hour2 ?? Number.NaN);
  if (Number.isNaN(hour) || (parts.half && (hour < 1 || hour > 12))) return null;
  const half = parts.half?.toLowerCase();
  const shifted = half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour;
  return toSeconds(
    shifted,
    Number(parts.minute ?? parts.minute2),
    Number(parts.second ?? parts.second2 ?? 0),
  );
}

const dateOf = (year: number, month: number, day: number) => fromParts({ year, month, day });

function found(name: string, parts: Parts, date: CalendarDate, other: CalendarDate | null): NameTime {
  const seconds = secondsOf(parts);
  const isUtc = seconds !== null && (parts.zulu !== undefined || PIXEL.test(name));
  const isOther = other !== null && compareDates(other, date) !== 0;
  return {
    time: isUtc ? { instant: clockTime({ date, seconds }) } : { local: { date, seconds, offset: null } },
    alternative: isOther ? other : null,
  };
}

/**
 * Finds when a video was recorded in the name of its file or of a folder: VID_20240131_120000.mp4, 2024-01-31.mov,
 * July 4, 2019.mp4. The caller checks whether it's in the future.
 * @returns null if there's none
 */
export function findTimeInName(name: string): NameTime | null {
  const base = name.replace(/\.[a-z0-9]{2,4}$/i, '');
  for (const [index, pattern] of [...YEAR_FIRST, ...MONTH_NAME].entries()) {
    const parts: Parts | undefined = pattern.exec(base)?.groups;
    if (!parts) continue;
    const year = Number(parts.year);
    const month = parts.month ? monthOf(parts.month) : Number(parts.m);
    const date = dateOf(year, month, Number(parts.d));
    if (date && (index > 0 || year >= FIRST_COMPACT_YEAR)) return found(base, parts, date, null);
  }
  const dots: Parts | undefined = DOTS.exec(base)?.groups;
  const parts: Parts | undefined = dots ?? DASHES.exec(base)?.groups;
  if (parts) {
    const [year, a, b] = [Number(parts.year), Number(parts.a), Number(parts.b)];
    const [dayFirst, monthFirst] = [dateOf(year, b, a), dateOf(year, a, b)];
    const date = dots ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst);
    if (date) return found(base, parts, date, dots ? monthFirst : dayFirst);
  }
  const instant = Number(UNIX_TIME.exec(base)?.[1] ?? 0);
  return isPlausibleTime(instant, Date.now()) ? { time: { instant }, alternative: null } : null;
}

/** A year alone, or with words: 2019, 2019 Italy. Not “Photos from 2019”, whose folders have no months inside. */
const YEAR_FOLDER = /^((?:19|20)\d\d)(?!\d|[-_. ]\d)/;
const YEAR_MONTH_FOLDER = /^((?:19|20)\d\d)[-_. ]?(\d\d)(?!\d|[-_. ]\d)/;
const YEAR_MONTH_NAME = new RegExp(
  `^((?:19|20)\\d\\d)[-_. ]+${MONTH}(?![a-z])|^${MONTH.replace('month', 'name')}[-_., ]+((?:19|20)\\d\\d)$`,
  'i',
);
const MONTH_FOLDER = new RegExp(`^(\\d{1,2})(?!\\d|[-_. ]\\d)|^${MONTH}(?![a-z])`, 'i');
const DAY = /^(\d{1,2})(?!\d)/;
/** A number with words, as opposed to a name that's only a day: `03.mp4`. */
const NUMBERED_NAME = /^\d{1,2}[-_. ]+\p{L}[^.]*\./u;

function yearMonthOf(folder: string): { year: number; month: number } | null {
  const numbers = YEAR_MONTH_FOLDER.exec(folder);
  if (numbers) return { year: Number(numbers[1]), month: Number(numbers[2]) };
  const words = YEAR_MONTH_NAME.exec(folder);
  const name = words?.groups?.month ?? words?.groups?.name;
  return words && name ? { year: Number(words[1] ?? words[4]), month: monthOf(name) } : null;
}

function monthOfFolder(folder: string): number {
  const match = MONTH_FOLDER.exec(folder);
  return match?.groups?.month ? monthOf(match.groups.month) : Number(match?.[1] ?? 0);
}

/** Finds a day at the end of a path whose folders above are its year and month, and where in the path it is. */
function spreadDate(segments: readonly string[]): { date: CalendarDate | null; at: number } {
  for (let last = segments.length - 1; last > 0; last -= 1) {
    const day = Number(DAY.exec(segments[last] ?? '')?.[1] ?? 0);
    if (day === 0) continue;
    const above = segments[last - 1] ?? '';
    const yearMonth = yearMonthOf(above);
    if (yearMonth) return { date: dateOf(yearMonth.year, yearMonth.month, day), at: last };
    const year = Number(YEAR_FOLDER.exec(segments[last - 2] ?? '')?.[1] ?? 0);
    const month = monthOfFolder(above);
    if (year > 0 && month > 0) return { date: dateOf(year, month, day), at: last };
  }
  return { date: null, at: 0 };
}

/**
 * Finds a date in the folders of a path: the nearest one with a whole date, or a year, a month, and a day that are
 * spread over folders and the file's name. A year or a month alone is no date.
 */
export function findDateInFolders(path: string): NameTime | null {
  const segments = path.split('/').filter(Boolean);
  for (const folder of segments.slice(0, -1).reverse()) {
    const whole = findTimeInName(folder);
    if (whole) return whole;
  }
  const { date, at } = spreadDate(segments);
  const isNumber = at === segments.length - 1 && NUMBERED_NAME.test(segments[at] ?? '');
  return date && { time: { local: { date, seconds: null, offset: null } }, alternative: null, isNumber };
}
