import { perProcess } from '@/lib/foundation/shared/per-process';

const startup = perProcess('startup', () => ({ isRunning: false }));

/** Returns whether the check at the start is at work, which waits for services that start together with the app. */
export const isStarting = (): boolean => startup.isRunning;

/** Notes that the check at the start begins or has ended. */
export function setStarting(starting: boolean): void {
  startup.isRunning = starting;
}
