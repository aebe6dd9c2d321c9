import { addDays, fromParts, readDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { seededRandom } from './speech-generator';

/** How many days in a row end today, so that there's a streak. */
const STREAK_DAYS = 3;

/** Returns the date so many days before another, both `YYYY-MM-DD`. */
const before = (date: string, days: number) => toIso(addDays(readDate(date), -days));

/** Returns the same day in an earlier year; February 28 if there's no February 29. */
function yearsBefore(date: string, years: number): string {
  const { year, month, day } = readDate(date);
  return toIso(fromParts({ year: year - years, month, day }) ?? { year: year - years, month, day: day - 1 });
}

/**
 * Returns on which days somebody records, `YYYY-MM-DD`, newest first: some days in a row up to `today`, then now and then
 * over a year, and on this day in three earlier years. The same `today` always gives the same days.
 * @param count how many days of the last year
 */
export function demoDates(today: string, count: number): string[] {
  const random = seededRandom(count);
  const streak = Math.min(STREAK_DAYS, count);
  const share = 355 / Math.max(1, count - streak);
  const lately = Array.from({ length: streak }, (_, days) => before(today, days));
  const earlier = Array.from({ length: count - streak }, (_, index) =>
    before(today, Math.round(streak + 1 + (index + random() * 0.8) * share)),
  );
  const past = [1, 2, 4].flatMap((years) => {
    const day = yearsBefore(today, years);
    return [day, before(day, 40 + Math.round(random() * 60))];
  });
  return [...new Set([...lately, ...earlier, ...past])].sort().reverse();
}
