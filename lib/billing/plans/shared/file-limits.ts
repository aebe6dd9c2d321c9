import { formatBytes, formatDuration } from './format';

/** What one video may be, on any plan. Without a limit, `seconds` is null. */
export interface FileLimits {
  bytes: number;
  seconds: number | null;
  /** Instead of `seconds`, for what's only copied: H.264 up to 1080p. By default, there's no difference. */
  copiedSeconds?: number | null;
}

/** Returns the limits of a video that's only copied. */
export const copiedLimits = ({ bytes, seconds, copiedSeconds = seconds }: FileLimits): FileLimits => ({
  bytes,
  seconds: copiedSeconds,
});

/** Returns bytes without decimals that say nothing: `4 GB`, `1.5 GB`. */
export const briefBytes = (bytes: number) => formatBytes(bytes).replace(/\.?0+ /, ' ');

/** Returns what a video may be, as a sentence. */
export function describeLimits({ bytes, seconds }: FileLimits): string {
  const length = seconds === null ? '' : `${formatDuration(seconds)} long and `;
  return `Videos can be up to ${length}${briefBytes(bytes)}.`;
}

/** What's known of a video: its size in bytes, its length in seconds. */
interface KnownVideo {
  bytes?: number | undefined;
  seconds?: number | undefined;
}

/** Returns which limit a video is over, and what to do about it before it's uploaded; null if it's within them. */
export function findExceededLimit(
  limits: FileLimits,
  { bytes = 0, seconds = 0 }: KnownVideo,
): { problem: string; advice: string } | null {
  if (bytes > limits.bytes) {
    return {
      problem: `This file is too large. Videos can be up to ${briefBytes(limits.bytes)}.`,
      advice: 'Compress it, or split it into shorter videos.',
    };
  }
  if (limits.seconds !== null && seconds > limits.seconds) {
    return {
      problem: `This video is too long. Videos can be up to ${formatDuration(limits.seconds)}.`,
      advice: 'Split it into shorter videos.',
    };
  }
  return null;
}

/** Returns what to tell the person about a video over a limit; null for one that's within them. */
export function findLimitProblem(limits: FileLimits, video: KnownVideo): string | null {
  const exceeded = findExceededLimit(limits, video);
  return exceeded && `${exceeded.problem} ${exceeded.advice}`;
}

/**
 * Returns the limit that a growing recording reaches first at the rate so far, and how many seconds fit until then.
 * @param recorded its bytes and seconds so far
 */
export function nearestLimit(
  limits: FileLimits,
  recorded: { bytes: number; seconds: number },
): { limit: string; secondsLeft: number } {
  const bySize =
    recorded.bytes > 0
      ? ((limits.bytes - recorded.bytes) * recorded.seconds) / recorded.bytes
      : Number.POSITIVE_INFINITY;
  const byLength = limits.seconds === null ? Number.POSITIVE_INFINITY : limits.seconds - recorded.seconds;
  return limits.seconds !== null && byLength <= bySize
    ? { limit: formatDuration(limits.seconds), secondsLeft: byLength }
    : { limit: briefBytes(limits.bytes), secondsLeft: bySize };
}
