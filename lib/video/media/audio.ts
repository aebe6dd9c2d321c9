import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MediaError } from './errors';
import { failureOf, runFfmpeg } from './ffmpeg';
import type { FfmpegRun } from './ffmpeg-run';
import { inputOf } from './ffmpeg-run';
import type { FfmpegTool } from './locate-ffmpeg';
import type { AudioStream, MediaInput } from './media-probe';
import { type Cancellation, collectChannels, speechGraph, WINDOW_SECONDS } from './speech-mix';

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

/** Prints the level of every window. A fixed threshold would find no pauses in a noisy room. */
const MEASURE_LEVELS = [
  'astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level',
  'ametadata=mode=print:key=lavfi.astats.Overall.RMS_level',
];

/**
 * Extracts the sound for speech as mono at 16 kHz, in parts that are cut where it's quietest. Where two channels cancel
 * each other out, one of them is used. `silent` means that the level never rises above what can be understood in that
 * form, or that there's no sound at all (then there are no parts).
 * @throws MediaError
 */
export async function extractSpeechAudio(
  { tool, input, source, signal }: MediaInput,
  outputDir: string,
  form: keyof typeof FORMS,
): Promise<{ parts: SpeechPart[]; silent: boolean }> {
  const { speech, durationSeconds } = source;
  const { encoders, maxPartSeconds, silentBelowDbfs } = FORMS[form];
  if (!speech) return { parts: [], silent: true };
  const deadline = Date.now() + MAX_SECONDS * 1000;
  const encode = (from: FfmpegRun['input'], name: string, run: Encoding) =>
    encodeWithFirst(tool, join(outputDir, name), run, {
      input: from,
      maxSeconds: Math.max(0.1, (deadline - Date.now()) / 1000),
      signal,
    });
  const isSilent = (stderr: string) => !(loudest(stderr) > silentBelowDbfs);
  const isOnePart = durationSeconds <= maxPartSeconds;

  async function encodeSource(canceled: Cancellation | null): Promise<Extracted> {
    const levels: number[] = [];
    const channels = collectChannels();
    const graph = speechGraph(speech as AudioStream, {
      canceled,
      after: ['volumedetect', ...(isOnePart ? [] : MEASURE_LEVELS)],
    });
    const made = await encode(inputOf({ input, source }), isOnePart ? 'speech' : 'whole', {
      args: ['-filter_complex', graph, '-map', '[speech]', '-t', durationSeconds.toFixed(3)],
      // Uncompressed as an intermediate step, so that parts start at the exact sample even if the source's index is
      // unreliable.
      encoders: isOnePart ? encoders : [{ extension: 'mov', args: ['-c:a', 'pcm_s16le', '-f', 'mov'] }],
      onLine(line) {
        channels.line(line);
        collectLevel(levels, line);
      },
    });
    const found = canceled ? null : channels.cancellation();
    return found ? encodeSource(found) : { ...made, levels };
  }

  const { path: whole, stderr, levels } = await encodeSource(null);
  if (isOnePart)
    return { parts: [{ path: whole, startSeconds: 0, durationSeconds }], silent: isSilent(stderr) };
  const parts: SpeechPart[] = [];
  for (const [startSeconds, endSeconds] of cutAtQuietestPoint(durationSeconds, levels, maxPartSeconds)) {
    const length = endSeconds - startSeconds;
    const { path } = await encode({ path: whole, seconds: durationSeconds }, `speech-${parts.length + 1}`, {
      inputArgs: ['-ss', startSeconds.toFixed(6), '-t', length.toFixed(6)],
      args: ['-ac', '1', '-ar', '16000'],
      encoders,
    });
    parts.push({ path, startSeconds, durationSeconds: length });
  }
  await rm(whole, { force: true });
  return { parts, silent: isSilent(stderr) };
}

interface Extracted {
  path: string;
  stderr: string;
  levels: number[];
}

interface Encoding {
  inputArgs?: string[];
  args: string[];
  encoders: { extension: string; args: string[] }[];
  onLine?: (line: string) => void;
}

/** Encodes with the first encoder that this ffmpeg has. */
async function encodeWithFirst(
  tool: FfmpegTool,
  output: string,
  { encoders, args, inputArgs = [], onLine }: Encoding,
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
      onStderrLine: onLine,
    });
    failure = failureOf(result);
    if (!failure && (await stat(/*turbopackIgnore: true*/ path)).size > 0)
      return { path, stderr: result.stderr };
    await rm(path, { force: true });
    if (failure && failure.kind !== 'no_ffmpeg') throw failure;
  }
  throw failure ?? new MediaError('failed', 'No sound came out.');
}

/** Adds the level of a window (dBFS, -Infinity for digital silence), if that's what ametadata's line has. */
function collectLevel(levels: number[], line: string): void {
  const level = /Overall\.RMS_level=(\S+)/.exec(line)?.[1];
  if (level) levels.push(Number.isFinite(Number(level)) ? Number(level) : Number.NEGATIVE_INFINITY);
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
