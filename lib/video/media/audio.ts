import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MediaError } from './errors';
import { failureOf, runFfmpeg } from './ffmpeg';
import type { FfmpegRun } from './ffmpeg-run';
import type { FfmpegTool } from './locate-ffmpeg';
import type { MediaInput } from './probe';

interface SpeechPart {
  path: string;
  /** Seconds from the start of the video. Parts follow each other without gaps or overlaps. */
  startSeconds: number;
  durationSeconds: number;
}

/** A part ends somewhere in its last quarter. */
const EARLIEST_CUT = 0.75;
/** About twice the size of 12 hours of uncompressed 16 kHz mono. */
const MAX_BYTES = 3_000_000_000;
/** The wall-clock time limit for everything together. */
const MAX_SECONDS = 600;

/**
 * What speech is extracted as.
 *
 * - `compressed`, for a speech service: 20 minutes at 32 kbit/s are 4.8 MB, and services accept 25 MB. The encoders are in
 *   order of preference; Debian's ffmpeg has all of them, and smaller builds have only the last one.
 * - `samples`, for the built-in engine: 16-bit samples without a header, at most 5 minutes, so that a slow core is done
 *   with them in the time that hosts give a function. The engine makes out speech that's far too quiet for a service.
 */
const FORMS = {
  compressed: {
    maxPartSeconds: 20 * 60,
    silentBelowDbfs: -50,
    encoders: [
      { extension: 'ogg', args: ['-c:a', 'libopus', '-b:a', '32k', '-f', 'ogg'] },
      { extension: 'mp3', args: ['-c:a', 'libmp3lame', '-b:a', '32k', '-f', 'mp3'] },
      { extension: 'm4a', args: ['-c:a', 'aac', '-b:a', '32k', '-f', 'mp4'] },
    ],
  },
  samples: {
    maxPartSeconds: 5 * 60,
    silentBelowDbfs: -70,
    encoders: [{ extension: 'pcm', args: ['-c:a', 'pcm_s16le', '-f', 's16le'] }],
  },
};

const WINDOW_SECONDS = 0.2;
/** Prints the level of every 0.2 s window (3200 samples). A fixed threshold would find no pauses in a noisy room. */
const MEASURE_LEVELS = [
  'asetnsamples=n=3200:p=0',
  'astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level',
  'ametadata=mode=print:key=lavfi.astats.Overall.RMS_level',
].join(',');

/** Keeps the audio in sync with the video: adds silence before a late start and in gaps. */
const SPEECH = ['-ac', '1', '-ar', '16000'];
const ALIGNED = 'aresample=16000:async=1:first_pts=0';

/**
 * Extracts the audio as mono at 16 kHz, in parts that are cut where it's quietest. `silent` means that the level never
 * rises above what can be understood in that form, or that there's no audio at all (then there are no parts).
 * @throws MediaError
 */
export async function extractSpeechAudio(
  { tool, input, source, signal }: MediaInput,
  outputDir: string,
  form: keyof typeof FORMS,
): Promise<{ parts: SpeechPart[]; silent: boolean }> {
  const { audio, durationSeconds } = source;
  const { encoders, maxPartSeconds, silentBelowDbfs } = FORMS[form];
  if (!audio) return { parts: [], silent: true };
  const deadline = Date.now() + MAX_SECONDS * 1000;
  const encode = (from: string, name: string, run: Encoding) =>
    encodeWithFirst(tool, join(outputDir, name), run, {
      input: { path: from, seconds: durationSeconds },
      maxSeconds: Math.max(0.1, (deadline - Date.now()) / 1000),
      signal,
    });
  const isSilent = (stderr: string) => !(loudest(stderr) > silentBelowDbfs);
  const fromSource = ['-map', `0:${audio.index}`, ...SPEECH, '-t', durationSeconds.toFixed(3)];

  if (durationSeconds <= maxPartSeconds) {
    const args = [...fromSource, '-af', `${ALIGNED},volumedetect`];
    const { path, stderr } = await encode(input, 'speech', { args, encoders });
    return { parts: [{ path, startSeconds: 0, durationSeconds }], silent: isSilent(stderr) };
  }

  // Uncompressed as an intermediate step, so that parts start at the exact sample even if the source's index is
  // unreliable.
  const levels: number[] = [];
  const args = [...fromSource, '-af', `${ALIGNED},volumedetect,${MEASURE_LEVELS}`];
  const whole = await encode(input, 'whole', {
    args,
    encoders: [{ extension: 'mov', args: ['-c:a', 'pcm_s16le', '-f', 'mov'], onLine: collectLevels(levels) }],
  });
  const parts: SpeechPart[] = [];
  for (const [startSeconds, endSeconds] of cutAtQuietestPoint(durationSeconds, levels, maxPartSeconds)) {
    const length = endSeconds - startSeconds;
    const { path } = await encode(whole.path, `speech-${parts.length + 1}`, {
      inputArgs: ['-ss', startSeconds.toFixed(6), '-t', length.toFixed(6)],
      args: SPEECH,
      encoders,
    });
    parts.push({ path, startSeconds, durationSeconds: length });
  }
  await rm(whole.path, { force: true });
  return { parts, silent: isSilent(whole.stderr) };
}

interface Encoding {
  inputArgs?: string[];
  args: string[];
  encoders: { extension: string; args: string[]; onLine?: (line: string) => void }[];
}

/** Encodes with the first encoder that this ffmpeg has. */
async function encodeWithFirst(
  tool: FfmpegTool,
  output: string,
  { encoders, args, inputArgs = [] }: Encoding,
  run: Pick<FfmpegRun, 'input' | 'maxSeconds' | 'signal'>,
): Promise<{ path: string; stderr: string }> {
  let failure: MediaError | null = null;
  for (const encoder of encoders) {
    const path = `${output}.${encoder.extension}`;
    const result = await runFfmpeg(tool, {
      ...run,
      kind: 'ffmpeg',
      inputArgs,
      args: [...args, ...encoder.args],
      output: { path },
      maxOutputBytes: MAX_BYTES,
      logLevel: 'info',
      onStderrLine: encoder.onLine,
    });
    failure = failureOf(result);
    if (!failure && (await stat(/*turbopackIgnore: true*/ path)).size > 0)
      return { path, stderr: result.stderr };
    await rm(path, { force: true });
    if (failure && failure.kind !== 'no_ffmpeg') throw failure;
  }
  throw failure ?? new MediaError('failed', 'No sound came out.');
}

/** Parses the level of every window (dBFS, -Infinity for digital silence) from ametadata's lines. */
function collectLevels(levels: number[]): (line: string) => void {
  return (line) => {
    const level = /RMS_level=(\S+)/.exec(line)?.[1];
    if (level) levels.push(Number.isFinite(Number(level)) ? Number(level) : Number.NEGATIVE_INFINITY);
  };
}

/**
 * Returns each part's [start, end] in seconds. Each one but the last ends at the quietest moment of its last quarter.
 */
function cutAtQuietestPoint(
  durationSeconds: number,
  levels: number[],
  maxPartSeconds: number,
): [number, number][] {
  const parts: [number, number][] = [];
  let start = 0;
  while (durationSeconds - start > maxPartSeconds) {
    const earliest = Math.ceil((start + EARLIEST_CUT * maxPartSeconds) / WINDOW_SECONDS);
    const latest = Math.floor((start + maxPartSeconds) / WINDOW_SECONDS) - 1;
    let quietest = latest;
    for (let window = latest - 1; window > earliest; window--) {
      if (loudnessAround(levels, window) < loudnessAround(levels, quietest)) quietest = window;
    }
    const end = (quietest + 0.5) * WINDOW_SECONDS;
    parts.push([start, end]);
    start = end;
  }
  parts.push([start, durationSeconds]);
  return parts;
}

/** Returns the loudest of three windows: a pause between words is longer than a consonant's closure. */
function loudnessAround(levels: number[], window: number): number {
  return Math.max(...[-1, 0, 1].map((offset) => levels[window + offset] ?? Number.NEGATIVE_INFINITY));
}

/** Reads a file of 16-bit samples as numbers from -1 to 1. */
export async function readSamples(file: string): Promise<Float32Array> {
  const bytes = await readFile(file);
  const samples = new Float32Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = bytes.readInt16LE(index * 2) / 32_768;
  return samples;
}

/** Returns the highest level that `volumedetect` found, in dBFS: infinite if it didn't say, as for an empty stream. */
function loudest(stderr: string): number {
  const level = /max_volume: (-?[\d.]+|-inf) dB/.exec(stderr)?.[1];
  if (level === undefined) return Number.POSITIVE_INFINITY;
  return level === '-inf' ? Number.NEGATIVE_INFINITY : Number(level);
}
