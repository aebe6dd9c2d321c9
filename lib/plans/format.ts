const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/**
 * Bytes in steps of 1000 with 2 decimals, from B to PB: `1.50 MB`.
 * @param rounding `up` where less would not do, as in how much must be deleted
 */
export function formatBytes(bytes: number, rounding: 'nearest' | 'up' = 'nearest'): string {
  // A billionth of a hundredth is an error of floating point and no byte.
  const round = (value: number) =>
    rounding === 'up' ? Math.ceil(value * 100 - 1e-9) / 100 : Number(value.toFixed(2));
  let value = bytes;
  let unit = 0;
  while (round(value) >= 1000 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${round(value).toFixed(2)} ${BYTE_UNITS[unit]}`;
}

const TIME_UNITS: [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/**
 * Seconds in the largest unit of seconds, minutes, hours and days that they fill, with at most 2 decimals: `3 hours`,
 * `1.46 days`, `1 second`.
 */
export function formatDuration(seconds: number): string {
  // By what will be shown: 3599.999 seconds are an hour.
  const fits = TIME_UNITS.find(([, size]) => Number((seconds / size).toFixed(2)) >= 1);
  const [name, size] = fits ?? ['second', 1];
  const value = Number((seconds / size).toFixed(2));
  return `${value} ${name}${value === 1 ? '' : 's'}`;
}
