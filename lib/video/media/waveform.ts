import { runSuccessfully } from './ffmpeg';
import { inputOf } from './ffmpeg-run';
import type { MediaInput } from './media-probe';

const MAX_POINTS = 500;
const MIN_SECONDS = 0.05;
/** Hz. Half of it covers what makes a voice loud. */
const RATE = 8000;
/** The amplitude of -50 dBFS. Audio that never rises above it counts as silence, as in `audio.ts`. */
const SILENT_BELOW = 10 ** (-50 / 20);

/**
 * Returns a video's volume over time: at most 500 evenly spaced peaks of any channel, each from 0 to 255, relative to the
 * loudest. A mix could cancel itself out.
 * All are 0 if it's silent throughout, and there are none if it has no audio.
 * @throws MediaError
 */
export async function measureWaveform({ tool, input, source, signal }: MediaInput): Promise<Uint8Array> {
  const { audio, durationSeconds } = source;
  if (!audio) return new Uint8Array();
  const samples = Math.max(Math.ceil((RATE * durationSeconds) / MAX_POINTS), RATE * MIN_SECONDS);
  const points = Math.ceil((RATE * durationSeconds) / samples);
  const amplitudes: number[] = [];
  await runSuccessfully(tool, {
    kind: 'ffmpeg',
    input: inputOf({ input, source }),
    args: [
      ...['-map', `0:${audio.index}`, '-t', durationSeconds.toFixed(3), '-af'],
      [
        // Keeps the audio in sync with the video: adds silence before a late start and in gaps.
        `aresample=${RATE}:async=1:first_pts=0`,
        `asetnsamples=n=${samples}:p=1`,
        'astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=Peak_level',
        'ametadata=mode=print:key=lavfi.astats.Overall.Peak_level',
      ].join(','),
      ...['-f', 'null', '-'],
    ],
    maxSeconds: 30 + durationSeconds / 10,
    logLevel: 'info',
    signal,
    onStderrLine(line) {
      const level = /Peak_level=(\S+)/.exec(line)?.[1];
      // Digital silence has the level `-inf`.
      if (level) amplitudes.push(Number.isFinite(Number(level)) ? 10 ** (Number(level) / 20) : 0);
    },
  });
  const loudest = amplitudes.reduce((most, amplitude) => Math.max(most, amplitude), 0);
  const scale = loudest > SILENT_BELOW ? 255 / loudest : 0;
  // If the audio ends before the video, silence follows.
  return Uint8Array.from({ length: points }, (_, index) => Math.round((amplitudes[index] ?? 0) * scale));
}
