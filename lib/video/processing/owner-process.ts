import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

const host = () => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** In milliseconds since 1970. Distinguishes processes with the same id, such as process 1 in a container. */
const startedAt = () => Math.round(performance.timeOrigin);

/** Returns a name of this process that {@link ownerState} can check later. */
export const currentProcessId = () => `${host()}-${process.pid}-${startedAt()}`;

/**
 * Returns whether the process that {@link currentProcessId} named is still running; `unknown` for one on another
 * machine or in another container, and for anything that isn't such a name.
 */
export function ownerState(name: string): 'running' | 'ended' | 'unknown' {
  const [, madeOn, id, started] = /^([0-9a-f]{8})-(\d+)-(\d+)$/.exec(name) ?? [];
  if (madeOn !== host()) return 'unknown';
  const pid = Number(id);
  if (pid === process.pid) return Number(started) === startedAt() ? 'running' : 'ended';
  try {
    process.kill(pid, 0);
    return 'running';
  } catch (error) {
    // EPERM: it's running as another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'ended' : 'running';
  }
}
