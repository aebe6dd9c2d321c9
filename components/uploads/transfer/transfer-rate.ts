/** Half of what the estimate knows is this old at most, in milliseconds: calm, but not blind to a change. */
const HALF_LIFE = 10_000;
/** No estimate before so many milliseconds of sending. */
const WARM_UP = 3000;

/** Estimates the time left from how fast bytes went lately. Times are milliseconds of one clock. */
export function createTransferRate() {
  let [since, bytes] = [Number.NaN, 0];
  let [spent, moved] = [0, 0];
  return {
    /** Bytes sent up to `now`; fewer than before after a cut, which is forgotten as the wait is. */
    record(sent: number, now: number): void {
      const elapsed = now - since;
      if (elapsed < 100) return;
      if (elapsed > 0 && elapsed < 5000 && sent >= bytes) {
        const fade = 0.5 ** (elapsed / HALF_LIFE);
        spent = spent * fade + elapsed;
        moved = moved * fade + (sent - bytes);
      }
      [since, bytes] = [now, sent];
    },
    /** Seconds until `total` bytes are sent; null while nobody can say. */
    secondsLeft(total: number): number | null {
      if (spent < WARM_UP || moved <= 0) return null;
      return ((total - bytes) / moved) * (spent / 1000);
    },
  };
}

/** How long it takes in words that do not jump with every second: `About 2 minutes left`. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 10) return 'A few seconds left';
  if (seconds < 55) return `About ${Math.ceil(seconds / 10) * 10} seconds left`;
  if (seconds < 90) return 'About a minute left';
  if (seconds < 55 * 60) return `About ${Math.round(seconds / 60)} minutes left`;
  const hours = Math.round(seconds / 1800) / 2;
  return hours === 1 ? 'About an hour left' : `About ${hours} hours left`;
}
