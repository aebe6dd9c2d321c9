import { copiedLimits, type FileLimits, nearestLimit } from '@/lib/billing/plans/shared/file-limits';

/** When to warn, and when to stop, in seconds before a limit. The last slice is still to come. */
const WARN_SECONDS = 60;
const STOP_SECONDS = 1;

/** As `planRendition` copies them: 1080p, landscape or portrait. */
const [LONG_EDGE, SHORT_EDGE] = [1920, 1080];

/**
 * Returns the limits of a recording, which may be longer if its video is only copied.
 * @param recordedAs the recorder's media type, with its codecs
 * @param picture the camera's
 */
export function recordingLimits(
  limits: FileLimits,
  recordedAs: string,
  { width = 0, height = 0 }: Pick<MediaTrackSettings, 'width' | 'height'>,
): FileLimits {
  const fits = Math.max(width, height) <= LONG_EDGE && Math.min(width, height) <= SHORT_EDGE;
  return /\bavc1\b/.test(recordedAs) && width > 0 && fits ? copiedLimits(limits) : limits;
}

/**
 * Watches a recording, so that it's never more than what may be uploaded.
 * @returns takes what's recorded so far, and returns a warning, once, and why the recording has to stop
 */
export function watchLimits(limits: FileLimits) {
  let hasWarned = false;
  return (recorded: { bytes: number; seconds: number }): { warning?: string; reached?: string } => {
    const { limit, secondsLeft } = nearestLimit(limits, recorded);
    if (secondsLeft <= STOP_SECONDS) {
      return { reached: `Videos can be up to ${limit} here, so recording stopped.` };
    }
    if (hasWarned || secondsLeft > WARN_SECONDS) return {};
    hasWarned = true;
    return {
      warning: `Videos can be up to ${limit} here. Recording stops in less than a minute, and everything is saved.`,
    };
  };
}
