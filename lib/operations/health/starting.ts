// Next may load this module twice: for the start and for requests.
const shared = globalThis as typeof globalThis & { daylightIsStarting?: boolean };

/** Returns whether the check at the start is at work, which waits for services that start together with the app. */
export const isStarting = (): boolean => shared.daylightIsStarting === true;

/** Notes that the check at the start begins or has ended. */
export function setStarting(starting: boolean): void {
  shared.daylightIsStarting = starting;
}
