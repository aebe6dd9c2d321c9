/** Half of the estimate's weight is on samples newer than this: stable but responsive. In milliseconds. */
const HALF_LIFE = 10_000;
/** No estimate before this many milliseconds of uploading. */
const WARM_UP = 3000;

/** Estimates the time left from the recent transfer rate. Times are milliseconds of one clock. */
export function createTransferRate() {
  let [since, bytes] = [Number.NaN, 0];
  let [spent, moved] = [0, 0];
  return {
    /** Records the bytes sent up to `now`. Ignores pauses and the drop after a lost connection. */
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
    /** Returns the seconds until `total` bytes are sent; null while unknown. */
    secondsLeft(total: number): number | null {
      if (spent < WARM_UP || moved <= 0) return null;
      return ((total - bytes) / moved) * (spent / 1000);
    },
  };
}

/** Formats a duration roughly, so that it doesn't change every second: `About 2 minutes left`. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 10) return 'A few seconds left';
  if (seconds < 55) return `About ${Math.ceil(seconds / 10) * 10} seconds left`;
  if (seconds < 90) return 'About a minute left';
  if (seconds < 55 * 60) return `About ${Math.round(seconds / 60)} minutes left`;
  const hours = Math.round(seconds / 1800) / 2;
  return hours === 1 ? 'About an hour left' : `About ${hours} hours left`;
}
