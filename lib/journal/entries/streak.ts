/** One missed day in so many is forgiven. */
const DAYS_PER_FREE_MISS = 7;

/**
 * How many days in a row have an entry, up to today. Today may still come, and one missed day in seven breaks
 * nothing (and counts nothing). Days are calendar dates, counted from 1970, so clocks that change make no difference.
 * @param today where the person is
 * @param days those that have entries
 */
export function countStreak(today: number, days: { has(day: number): boolean }): number {
  let count = 0;
  let sinceMissed = DAYS_PER_FREE_MISS;
  for (let day = days.has(today) ? today : today - 1; ; day -= 1) {
    if (days.has(day)) {
      count += 1;
      sinceMissed += 1;
    } else if (count > 0 && sinceMissed >= DAYS_PER_FREE_MISS && days.has(day - 1)) {
      sinceMissed = 0;
    } else return count;
  }
}
