import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';

/** Half of the estimate's weight is on samples newer than this: stable but responsive. In milliseconds. */
const HALF_LIFE = 10_000;
/** No estimate before this many milliseconds of uploading. */
const WARM_UP = 3000;

/** Estimates the time left from the recent transfer rate. Times are milliseconds of one clock. */
export function createTransferRate() {
  let [since, bytes] = [Number.NaN, 0];
  let [spent, moved] = [0, 0];
  const bytesPerSecond = () => (spent < WARM_UP || moved <= 0 ? null : moved / (spent / 1000));
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
    /** Returns the recent speed; null while unknown. */
    bytesPerSecond,
    /** Returns the seconds until `total` bytes are sent; null while unknown. */
    secondsLeft(total: number): number | null {
      const speed = bytesPerSecond();
      return speed === null ? null : (total - bytes) / speed;
    },
  };
}

/** Remembers how fast this device uploads, to estimate how long more will take. @param bytesPerSecond null if unknown */
export function rememberUploadSpeed(bytesPerSecond: number | null): void {
  if (bytesPerSecond !== null) setDeviceSetting('daylight-upload-speed', String(Math.round(bytesPerSecond)));
}

/** Returns how many seconds an upload would take at the speed of the last one; null if there was none. */
export function estimateUploadSeconds(bytes: number): number | null {
  const speed = Number(getDeviceSetting('daylight-upload-speed'));
  return speed > 0 ? bytes / speed : null;
}
