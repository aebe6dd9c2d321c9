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

const SPAN_UNITS: [short: string, long: string, seconds: number][] = [
  ['h', 'hour', 3600],
  ['min', 'minute', 60],
  ['s', 'second', 1],
];

/** Returns the two largest parts of a duration in whole hours, minutes, and seconds, without those that are zero. */
function largestParts(seconds: number) {
  let left = Math.round(seconds);
  // Nobody counts the seconds of an hour.
  if (left >= 3600) left = Math.round(left / 60) * 60;
  return SPAN_UNITS.map(([short, long, size]) => {
    const value = Math.floor(left / size);
    left -= value * size;
    return { value, shown: value.toLocaleString('en-US'), short, long };
  }).filter(({ value }) => value > 0);
}

/** Returns seconds in everyday form: `20 h 30 min`, `2 min 15 s`, `0 s`. Seconds are left out from an hour on. */
export function formatSpan(seconds: number): string {
  const parts = largestParts(seconds).map(({ shown, short }) => `${shown} ${short}`);
  return parts.join(' ') || '0 s';
}

/** Returns seconds in words: `20 hours and 30 minutes`, `1 minute`, `0 seconds`. Rounded like {@link formatSpan}. */
export function formatSpanInWords(seconds: number): string {
  const parts = largestParts(seconds).map(
    ({ value, shown, long }) => `${shown} ${long}${value === 1 ? '' : 's'}`,
  );
  return parts.join(' and ') || '0 seconds';
}
