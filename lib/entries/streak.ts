/** One missed day in so many is forgiven. */
const GRACE_EVERY = 7;

/**
 * How many days in a row have an entry, up to today. Today may still come, and one missed day in seven breaks
 * nothing (and counts nothing). Days are calendar dates, counted from 1970, so clocks that change make no difference.
 * @param today where the person is
 * @param days those that have entries
 */
export function streakUntil(today: number, days: { has(day: number): boolean }): number {
  let count = 0;
  let sinceMissed = GRACE_EVERY;
  for (let day = days.has(today) ? today : today - 1; ; day -= 1) {
    if (days.has(day)) {
      count += 1;
      sinceMissed += 1;
    } else if (count > 0 && sinceMissed >= GRACE_EVERY && days.has(day - 1)) {
      sinceMissed = 0;
    } else return count;
  }
}
