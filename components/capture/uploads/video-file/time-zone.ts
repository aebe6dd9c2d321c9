import { clockTime } from './local-time';

const formats = new Map<string, Intl.DateTimeFormat | null>();

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat | null = null;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23', era: 'short' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  } catch {
    // A zone that this browser doesn't know.
  }
  formats.set(zone, format);
  return format;
}

/**
 * Returns how many minutes a zone's clocks were ahead of UTC at a moment, with the rules of that year.
 * @param zone an IANA name, such as America/New_York
 * @returns null if there's no such zone
 */
export function offsetAt(zone: string, instant: number): number | null {
  const parts = formatOf(zone)?.formatToParts(instant);
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => Number(parts.find((part) => part.type === type)?.value));
  const clock = clockTime({ date: { year, month, day }, seconds: (hour * 60 + minute) * 60 + second });
  return Math.round((clock - instant) / 60_000);
}

/** Returns the moment when a zone's clocks showed a time; the earlier one of two. */
export function instantOf(zone: string, clock: number): number {
  const guess = clock - (offsetAt(zone, clock) ?? 0) * 60_000;
  return clock - (offsetAt(zone, guess) ?? 0) * 60_000;
}
