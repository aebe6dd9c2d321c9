/** One column per pixel of the narrowest bar, which is 240 px wide. */
const COLUMNS = 240;
/** Draws half the amplitude at more than half the height, closer to perceived loudness. */
const EXPONENT = 0.75;

/** The drawing's size. Silence is at the bottom. */
export const WAVEFORM_BOX = { width: COLUMNS, height: 100 };

/**
 * Returns how loud a video is over its length, from 0 to 1, in so many equally long stretches.
 * @param waveform base64 of one peak per interval, 0 to 255
 */
export function waveformPeaks(waveform: string, count: number): number[] {
  const peaks = Uint8Array.from(atob(waveform), (letter) => letter.charCodeAt(0));
  return Array.from({ length: count }, (_, column) => {
    const first = Math.floor((column * peaks.length) / count);
    const next = Math.max(Math.floor(((column + 1) * peaks.length) / count), first + 1);
    const loudest = Math.max(0, ...peaks.subarray(first, next));
    return (loudest / 255) ** EXPONENT;
  });
}

/**
 * Returns a waveform's outline as an SVG path in {@link WAVEFORM_BOX}.
 * @param waveform base64 of one peak per interval, 0 to 255
 */
export function waveformPath(waveform: string): string {
  const steps = waveformPeaks(waveform, COLUMNS).map(
    (peak, column) => `L${column + 0.5} ${Math.round(100 * (1 - peak))}`,
  );
  return `M0 100${steps.join('')}L${COLUMNS} 100Z`;
}
