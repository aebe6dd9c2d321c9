/** The minimum time between two verification emails to the same address. */
export const RESEND_SECONDS = 60;

/**
 * Returns the seconds, rounded up, until another email may be requested; 0 if it may be now.
 * @param askedAt when the last one was, in milliseconds since 1970
 */
export function secondsUntilResend(askedAt: number): number {
  return Math.max(0, Math.ceil(RESEND_SECONDS - (Date.now() - askedAt) / 1000));
}
