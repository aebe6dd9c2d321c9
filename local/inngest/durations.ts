const UNITS = { w: 7 * 86_400_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;
const DURATION = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/** First delay and longest delay between two attempts, in milliseconds. */
const INITIAL_RETRY_DELAY_MS = 10_000;
const MAX_RETRY_DELAY_MS = 240_000;

/** Reads Inngest's durations (`1d2h30m5s`). @returns milliseconds, or undefined for anything else */
export function parseDurationMs(text: string): number | undefined {
  const match = DURATION.exec(text.trim());
  if (!match) return undefined;
  return Object.values(UNITS).reduce((sum, unit, index) => sum + Number(match[index + 1] ?? 0) * unit, 0);
}

/** Returns when a sleep ends, in Unix milliseconds, from a duration or an ISO date. Undefined for anything else. */
export function timeAfter(text: string, now: number): number | undefined {
  const duration = parseDurationMs(text);
  if (duration !== undefined) return now + duration;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}

/** Reads `retry-after` (RFC 9110: seconds, or a date) as Unix milliseconds. Undefined if it's missing or invalid. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (!header) return undefined;
  if (/^\d+$/.test(header)) return now + Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : date;
}

/**
 * Returns how long to wait after a failed attempt: 10 s, doubling to 4 minutes, plus up to 10 %, so that runs that
 * failed together don't retry together. Inngest's cloud waits up to two hours, but here work must resume within five
 * minutes of a service's return.
 *
 * @param attempt the failed attempt, counted from 0
 */
export function retryDelayMs(attempt: number): number {
  return Math.min(INITIAL_RETRY_DELAY_MS * 2 ** attempt, MAX_RETRY_DELAY_MS) * (1 + Math.random() / 10);
}
