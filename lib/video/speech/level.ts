/** Below this level, in dBFS, voice detection loses most words. At -47 it still works. */
const QUIET_DBFS = -50;
const RAISED_DBFS = -20;

const amplitude = (dbfs: number) => 10 ** (dbfs / 20);

/**
 * Returns what to multiply samples with before anything listens to them: 1 unless they're so quiet that voice detection
 * fails. Never so much that the loudest sample clips.
 */
export function gainFor(samples: Float32Array): number {
  let squares = 0;
  let peak = 0;
  for (const sample of samples) {
    squares += sample * sample;
    peak = Math.max(peak, Math.abs(sample));
  }
  const rms = Math.sqrt(squares / samples.length);
  if (peak === 0 || rms >= amplitude(QUIET_DBFS)) return 1;
  return Math.max(1, Math.min(amplitude(RAISED_DBFS) / rms, 1 / peak));
}
