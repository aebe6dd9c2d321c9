import { SAMPLE_RATE } from '@/lib/video/speech/types';
import { filterSamples } from './samples';

/** A pause of `seconds` put in at a time of the clip, long enough for the filler that's said in its middle. */
export interface Inserted {
  at: number;
  seconds: number;
  filler?: Float32Array | undefined;
}

const FRAME = SAMPLE_RATE / 50;
const FILLER_MARGIN_SECONDS = 0.4;

function levelOf(samples: Float32Array): number {
  let squares = 0;
  for (const sample of samples) squares += sample * sample;
  return Math.sqrt(squares / Math.max(1, samples.length));
}

const decibels = (db: number) => 10 ** (db / 20);

/** Returns white noise at the level of a clip's quietest frames, the same every time. */
function roomTone(clip: Float32Array, length: number): Float32Array {
  const levels: number[] = [];
  for (let at = 0; at + FRAME <= clip.length; at += FRAME)
    levels.push(levelOf(clip.subarray(at, at + FRAME)));
  const level = levels.toSorted((a, b) => a - b)[Math.floor(levels.length / 20)] ?? 0;
  let state = 1;
  return new Float32Array(length).map(() => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.sqrt(3) * level * ((2 * state) / 2_147_483_647 - 1);
  });
}

/** Returns a pause of at least `seconds`, and longer if there's a filler to say. */
export function pauseAt(at: number, seconds: number, filler?: Float32Array): Inserted {
  const said = filler ? filler.length / SAMPLE_RATE + 2 * FILLER_MARGIN_SECONDS : 0;
  return { at, seconds: Math.max(seconds, said), filler };
}

/** Puts pauses into a clip, as somebody makes who looks for words. */
export function insertPauses(clip: Float32Array, pauses: readonly Inserted[]): Float32Array {
  const parts: Float32Array[] = [];
  let from = 0;
  for (const { at, seconds, filler } of pauses) {
    const to = Math.round(at * SAMPLE_RATE);
    const pause = roomTone(clip, Math.round(seconds * SAMPLE_RATE));
    if (filler) {
      const start = Math.round((pause.length - filler.length) / 2);
      const louder = levelOf(clip) / levelOf(filler);
      for (const [index, sample] of filler.entries()) {
        pause[start + index] = (pause[start + index] ?? 0) + sample * louder;
      }
    }
    parts.push(clip.subarray(from, to), pause);
    from = to;
  }
  return join([...parts, clip.subarray(from)]);
}

function join(parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Adds a sound, repeated as needed, `below` dB under the voice. */
export function addNoise(samples: Float32Array, noise: Float32Array, below: number): Float32Array {
  const factor = levelOf(samples) / levelOf(noise) / decibels(below);
  return samples.map((sample, index) => sample + factor * (noise[index % noise.length] ?? 0));
}

/** Changes the level by so many dB. */
export const amplify = (samples: Float32Array, db: number): Float32Array =>
  samples.map((sample) => sample * decibels(db));

/** What a phone line leaves: 300 to 3400 Hz, sampled at 8 kHz. */
export const asPhone = (samples: Float32Array): Promise<Float32Array> =>
  filterSamples(samples, 'highpass=300,lowpass=3400,aresample=8000');
