import { type InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { SAMPLE_RATE } from './types';

/** A stretch of voice without a longer pause. Seconds from the start of the samples. */
export interface Voice {
  start: number;
  end: number;
}

/** What the model takes at 16 kHz: a frame, after the last samples of the frame before it. */
const FRAME = 512;
const CONTEXT = 64;
const STATE_SHAPE = [2, 1, 128];

const STARTS_AT = 0.5;
const ENDS_BELOW = 0.35;
const PAUSE_SECONDS = 0.3;

/** Finds where somebody speaks, with Silero's model, in samples multiplied by `gain`. */
export async function findVoice(
  silero: InferenceSession,
  samples: Float32Array,
  gain: number,
): Promise<Voice[]> {
  const voices: Voice[] = [];
  let start: number | null = null;
  let pausedAt: number | null = null;
  const seconds = (sample: number) => Math.min(sample, samples.length) / SAMPLE_RATE;
  const probability = probabilities(silero);
  for (let at = 0; at < samples.length; at += FRAME) {
    const voice = await probability(frameAt(samples, at, gain));
    if (voice >= STARTS_AT) {
      start ??= at;
      pausedAt = null;
    } else if (voice < ENDS_BELOW && start !== null) {
      pausedAt ??= at;
      if (at + FRAME - pausedAt < PAUSE_SECONDS * SAMPLE_RATE) continue;
      voices.push({ start: seconds(start), end: seconds(pausedAt) });
      [start, pausedAt] = [null, null];
    }
  }
  if (start !== null) voices.push({ start: seconds(start), end: seconds(pausedAt ?? samples.length) });
  return voices;
}

/** Returns a frame with its context. Silence stands in for what isn't there. */
function frameAt(samples: Float32Array, at: number, gain: number): Float32Array {
  const frame = new Float32Array(CONTEXT + FRAME);
  const from = Math.max(0, at - CONTEXT);
  frame.set(samples.subarray(from, at + FRAME), from - (at - CONTEXT));
  if (gain !== 1) for (let i = 0; i < frame.length; i++) frame[i] = (frame[i] ?? 0) * gain;
  return frame;
}

/** Returns a function that takes one frame after another, and answers how likely each one is voice. */
function probabilities(silero: InferenceSession): (frame: Float32Array) => Promise<number> {
  const sr = new Tensor('int64', BigInt64Array.of(BigInt(SAMPLE_RATE)), []);
  let state = new Tensor('float32', new Float32Array(STATE_SHAPE.reduce((a, b) => a * b)), STATE_SHAPE);
  return async (frame) => {
    const results = await silero.run({ input: new Tensor('float32', frame, [1, frame.length]), state, sr });
    const { output, stateN } = results as Record<string, Tensor>;
    state = stateN as typeof state;
    return Number(output?.data[0]);
  };
}
