import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A delay of the site's event loop, as `lib/foundation/telemetry/event-loop.ts` logs it. */
interface LoggedDelay {
  /** Milliseconds of it, and of processor time meanwhile. */
  ms: number;
  cpuMs: number;
  /** The methods and routes that were being answered. */
  routes: string[];
}

/**
 * Returns the longest delay of a site's event loop so far; null if none was long enough to be logged.
 * @param dataDir where the site's data and logs are
 */
export function longestDelay(dataDir: string): LoggedDelay | null {
  const path = join(dataDir, 'logs', 'app.log');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const delays = lines
    .filter((line) => line.includes('"event-loop.blocked"'))
    .map((line): LoggedDelay => JSON.parse(line));
  return delays.reduce<LoggedDelay | null>((most, one) => (one.ms > (most?.ms ?? 0) ? one : most), null);
}

/** Says what the longest delay was, for those who read the output of a run. */
export function describeDelay(delay: LoggedDelay | null): string {
  if (!delay) return 'Nothing blocked the event loop for 100 ms or more.';
  const { ms, cpuMs, routes } = delay;
  return `The event loop was blocked for ${ms} ms at most (${cpuMs} ms of processor time), at ${routes.join(' or ')}.`;
}
