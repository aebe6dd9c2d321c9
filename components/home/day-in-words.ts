import { monthName, weekdayOf } from '@/components/journal/entries/calendar-names';
import { numberInWords } from '@/components/journal/entries/number-words';
import type { YearActivity } from '@/lib/journal/entries/dashboard';
import { addDays, type CalendarDate, readDate, toIso } from '@/lib/journal/entries/shared/calendar';

const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );
const monthAndDay = ({ month, day }: CalendarDate) => `${monthName(month)} ${day}`;

/** Returns a day of a month as an ordinal, from 'first' to 'thirty-first'. */
function ordinal(day: number): string {
  if (day <= 20) return ORDINALS[day - 1] ?? '';
  if (day === 30) return 'thirtieth';
  return `${day > 30 ? 'thirty' : 'twenty'}-${ORDINALS[(day % 10) - 1]}`;
}

/** Returns a date's month and its day in words, such as 'November' and 'twenty-second'. */
export const dateInWords = (date: CalendarDate): { month: string; day: string } => ({
  month: monthName(date.month),
  day: ordinal(date.day),
});

/** Returns what to call a time of day, by its hour from 0 to 23. */
export function partOfDay(hour: number): 'morning' | 'afternoon' | 'evening' | 'night' {
  if (hour < 4) return 'night';
  if (hour < 12) return 'morning';
  if (hour < 17) return 'afternoon';
  return hour < 22 ? 'evening' : 'night';
}

/** Returns the weekday and the time of day, such as 'Sunday evening'. */
export const weekdayAndPart = (today: CalendarDate, hour: number): string =>
  `${weekdayOf(today)} ${partOfDay(hour)}`;

const amountInWords = (count: number, unit: string) =>
  `${numberInWords(count)} ${unit}${count === 1 ? '' : 's'}`;

/** Returns a duration as people say it: 'six minutes', '40 seconds', 'an hour and 20 minutes'. */
export function durationInWords(seconds: number): string {
  if (seconds < 60) return amountInWords(Math.round(seconds), 'second');
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const rests = amountInWords(rest, 'minute');
  if (hours === 0) return rests;
  const whole = hours === 1 ? 'an hour' : amountInWords(hours, 'hour');
  return rest === 0 ? whole : `${whole} and ${rests}`;
}

/** Says how often someone has recorded lately. A streak is named; a gap isn't. */
function lately({ days, streak }: Pick<YearActivity, 'days' | 'streak'>): string | null {
  if (streak > 1) return `You’ve recorded ${numberInWords(streak)} days in a row.`;
  const recorded = days.slice(-7).filter((seconds) => seconds !== null).length;
  if (recorded === 0) return null;
  return `You’ve recorded on ${numberInWords(recorded)} of the last seven days.`;
}

/** Names a day as seen from today: 'Today', 'Yesterday', 'On Friday', 'On November 5', 'On November 5, 2024'. */
function nameDay(date: CalendarDate, today: CalendarDate): string {
  const ago = Math.round((Date.parse(toIso(today)) - Date.parse(toIso(date))) / 86_400_000);
  if (ago === 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  if (ago > 1 && ago < 7) return `On ${weekdayOf(date)}`;
  return `On ${monthAndDay(date)}${date.year === today.year ? '' : `, ${date.year}`}`;
}

/** Says when the last entry was, how long, and what it's called. */
function lastEntry(
  { date, duration, title }: { date: CalendarDate; duration: number | null; title: string },
  today: CalendarDate,
): string {
  const end = /[.?!…]$/.test(title) ? '' : '.';
  const long = duration === null ? '' : `${durationInWords(duration)}: `;
  return `${nameDay(date, today)} you recorded ${long}“${title}${end}”`;
}

/** Returns one or two sentences about the last week and the last entry. */
export function weekInWords(
  today: CalendarDate,
  year: Pick<YearActivity, 'days' | 'streak'> | null,
  latest: Parameters<typeof lastEntry>[0] | undefined,
): string {
  return [year && lately(year), latest && lastEntry(latest, today)].filter(Boolean).join(' ');
}

/** Returns a sentence about the last year: how many days have an entry, for how long in all, and the longest day. */
export function yearInWords({ from, days }: Pick<YearActivity, 'from' | 'days'>): string {
  const recorded = days.filter((seconds) => seconds !== null);
  const total = recorded.reduce((sum, seconds) => sum + seconds, 0);
  const most = Math.max(0, ...recorded);
  const count = recorded.length === 1 ? '1 day' : `${recorded.length} days`;
  if (most === 0) return `You recorded on ${count}.`;
  const inAll = `You recorded on ${count}, ${durationInWords(total)} in all.`;
  if (recorded.length === 1) return inAll;
  const longest = addDays(readDate(from), days.indexOf(most));
  return `${inAll} The longest was ${monthAndDay(longest)}, ${durationInWords(most)}.`;
}
