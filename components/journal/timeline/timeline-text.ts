import { monthName, weekdayOf } from '@/components/journal/entries/calendar-names';
import { capitalize, numberInWords } from '@/components/journal/entries/number-words';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';
import type { TimelineMonth } from '@/lib/journal/timeline/contract';

const DAY = 86_400_000;
/** Fewer days without an entry than these aren't mentioned. */
const SHORTEST_GAP = 5;

const timeOf = ({ year, month, day }: CalendarDate) => Date.UTC(year, month - 1, day);

/** Formats a date as Friday, November 20, 2026. */
export const formatLongDate = (date: CalendarDate): string =>
  `${weekdayOf(date)}, ${monthName(date.month)} ${date.day}, ${date.year}`;

/** Formats two days (`YYYY-MM-DD`) as November 1 to 21, 2026. */
export function formatDays(from: string, to: string): string {
  const [firstYear, firstMonth, firstDay] = from.split('-').map(Number) as [number, number, number];
  const [year, month, day] = to.split('-').map(Number) as [number, number, number];
  const end = firstYear === year && firstMonth === month ? `${day}` : `${monthName(month)} ${day}`;
  const start = `${monthName(firstMonth)} ${firstDay}`;
  return `${firstYear === year ? start : `${start}, ${firstYear}`} to ${end}, ${year}`;
}

const count = (amount: number, one: string, unit: string) =>
  amount === 1 ? one : `${capitalize(numberInWords(amount, 12))} ${unit}`;

/** Returns how long a stretch is, in the largest unit that suits it. */
function describeDays(days: number): string {
  if (days < 7 || (days > 7 && days < 14)) return count(days, 'A day', 'days');
  if (days < 60) return count(Math.floor(days / 7), 'A week', 'weeks');
  if (days < 365) return count(Math.floor(days / 30.4), 'A month', 'months');
  return count(Math.floor(days / 365), 'A year', 'years');
}

/**
 * Returns what to say about the days between two entries, such as "A week without Family".
 * @param filter what the timeline is narrowed down to; null if it isn't
 * @returns null if there are too few to mention
 */
export function describeGap(newer: CalendarDate, older: CalendarDate, filter: string | null): string | null {
  const days = Math.round((timeOf(newer) - timeOf(older)) / DAY) - 1;
  return days < SHORTEST_GAP ? null : `${describeDays(days)} without ${filter ?? 'an entry'}`;
}

/** Joins names to "Family", "Family and Garden", or "Family, Garden, and notes". @returns null for none */
export const listNames = (names: readonly string[]): string | null =>
  new Intl.ListFormat('en-US').format(names) || null;

function formatLength(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const rest = minutes % 60;
  return rest ? `${Math.floor(minutes / 60)} h ${rest} min` : `${Math.floor(minutes / 60)} hours`;
}

/** Returns what a month comes to, such as "5 with Family · 27 minutes". */
export function describeMonth({ entries, seconds }: Omit<TimelineMonth, 'month'>, filter: string | null) {
  const number = entries.toLocaleString('en-US');
  const what = filter ? `with ${filter}` : entries === 1 ? 'entry' : 'entries';
  return seconds > 0 ? `${number} ${what} · ${formatLength(seconds)}` : `${number} ${what}`;
}
