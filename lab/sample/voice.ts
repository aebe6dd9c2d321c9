import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Clip, VoicePart } from './clip';

/** Samples a second in a clip's sound. */
export const VOICE_RATE = 48_000;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Silence at the start, between two parts and at the end, in seconds. */
const PAUSES = { before: 0.5, between: 0.3, after: 0.8 };
/** How long a cut fades, in seconds. */
const FADE = 0.03;

/** A part of a clip's sound. */
interface PlacedPart {
  part: VoicePart;
  /** When it starts in the clip, in seconds. */
  start: number;
  samples: Float32Array;
}

/** Decodes a part. @param ffmpeg the program's path */
async function decode(
  ffmpeg: string,
  { file, from = 0, until }: VoicePart,
  rate: number,
): Promise<Float32Array> {
  const length = until === undefined ? [] : ['-t', String(until - from)];
  const { stdout } = await promisify(execFile)(
    ffmpeg,
    [
      ...['-nostdin', '-loglevel', 'error', '-ss', String(from), ...length, '-i', join(ROOT, file)],
      // The same loudness for every reader.
      ...['-af', 'loudnorm=I=-18:TP=-2:LRA=9', '-f', 'f32le', '-ac', '1', '-ar', String(rate), '-'],
    ],
    { encoding: 'buffer', maxBuffer: 64_000_000 },
  );
  return new Float32Array(Uint8Array.from(stdout).buffer);
}

/** Decodes a clip's parts, mono at `rate` samples a second. @param ffmpeg the program's path */
export async function readVoice(ffmpeg: string, clip: Clip, rate = VOICE_RATE): Promise<PlacedPart[]> {
  const placed: PlacedPart[] = [];
  let start = PAUSES.before;
  for (const part of clip.voice) {
    const samples = await decode(ffmpeg, part, rate);
    placed.push({ part, start, samples });
    start += samples.length / rate + PAUSES.between;
  }
  return placed;
}

/** Joins a clip's parts with pauses, at {@link VOICE_RATE}. */
export function joinVoice(parts: readonly PlacedPart[]): Float32Array {
  const last = parts.at(-1);
  const seconds = last ? last.start + last.samples.length / VOICE_RATE + PAUSES.after : 0;
  const joined = new Float32Array(Math.ceil(seconds * VOICE_RATE));
  for (const { start, samples } of parts) {
    const fade = Math.min(FADE * VOICE_RATE, samples.length / 2);
    const at = Math.round(start * VOICE_RATE);
    for (const [index, sample] of samples.entries()) {
      const edge = Math.min(1, index / fade, (samples.length - 1 - index) / fade);
      joined[at + index] = sample * edge;
    }
  }
  return joined;
}

/** Returns samples as a WAV file with 16 bits. */
export function toWav(samples: Float32Array): Buffer {
  const bytes = samples.length * 2;
  const wav = Buffer.alloc(44 + bytes);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + bytes, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(VOICE_RATE, 24);
  wav.writeUInt32LE(VOICE_RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(bytes, 40);
  for (const [index, sample] of samples.entries()) {
    wav.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), 44 + index * 2);
  }
  return wav;
}
