import { formatDuration } from './format-duration';

/** Shows how long a video is, over its picture. */
export function DurationBadge({ seconds }: { seconds: number }) {
  return (
    <span className="ml-auto rounded-8 bg-[oklch(0.2_0.01_165/.88)] px-1.5 py-0.5 text-13 font-semibold text-white tabular-nums">
      <span className="sr-only">Duration </span>
      {formatDuration(seconds)}
    </span>
  );
}
