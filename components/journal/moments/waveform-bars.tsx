const STEP = 4;
const HEIGHT = 44;
/** Silence has a height too, so that the line never breaks. */
const LEAST = 2;

/**
 * Draws how loud a video is as bars, those that have been played in the accent color, with a line where it is now.
 * @param peaks from 0 to 1
 * @param at how much of the video has been played, from 0 to 1
 */
export function WaveformBars({ peaks, at }: { peaks: readonly number[]; at: number }) {
  const bars = peaks.map((peak, index) => {
    const half = Math.max(LEAST, peak * HEIGHT) / 2;
    return `M${index * STEP + 2} ${(HEIGHT / 2 - half).toFixed(1)}v${(2 * half).toFixed(1)}`;
  });
  const width = peaks.length * STEP;
  const played = Math.round(at * peaks.length);
  const common = { strokeWidth: 2.2, strokeLinecap: 'round', fill: 'none' } as const;
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="block h-11 w-full"
    >
      <path d={bars.slice(0, played).join('')} stroke="var(--accent)" {...common} />
      <path d={bars.slice(played).join('')} stroke="var(--ink-3)" opacity={0.55} {...common} />
      {at > 0 && <path d={`M${at * width} 0v${HEIGHT}`} stroke="var(--now)" strokeWidth={2} />}
    </svg>
  );
}
