const UNITS = { w: 7 * 86_400_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;
const DURATION = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Inngest's delays after a failed attempt (`pkg/backoff` of its server), and its random addition, in milliseconds. */
const RETRY_DELAYS_MS = [
  ...[15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE],
  ...[10 * MINUTE, 20 * MINUTE, 40 * MINUTE, HOUR, 2 * HOUR],
];
const RETRY_JITTER_MS = 30 * SECOND;

/** The limits of Inngest's server for what `retry-after` asks, in milliseconds. */
const MIN_RETRY_AFTER_MS = SECOND;
const MAX_RETRY_AFTER_MS = 24 * HOUR;

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

/**
 * Reads `retry-after` (RFC 9110: seconds, or a date) as Unix milliseconds, between a second and a day from now.
 * Undefined if it's missing or invalid.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (!header) return undefined;
  const date = /^\d+$/.test(header) ? now + Number(header) * SECOND : Date.parse(header);
  if (Number.isNaN(date)) return undefined;
  return Math.min(Math.max(date, now + MIN_RETRY_AFTER_MS), now + MAX_RETRY_AFTER_MS);
}

/**
 * Returns how long to wait after a failed attempt, in milliseconds, as Inngest does: from 15 to 45 s after the first one
 * to two hours after the tenth.
 *
 * @param attempt the failed attempt, counted from 0
 */
export function retryDelayMs(attempt: number): number {
  const delay = RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)] ?? 0;
  return delay + Math.random() * RETRY_JITTER_MS;
}
