import { type InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { SAMPLE_RATE, type Voice, type VoiceTracker } from './types';

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
  const tracker = trackVoice(silero);
  const voices: Voice[] = [];
  for (let at = 0; at < samples.length; at += FRAME) {
    const frame = samples.slice(at, at + FRAME);
    const voice = await tracker.next(gain === 1 ? frame : frame.map((sample) => sample * gain));
    if (voice) voices.push(voice);
  }
  const last = tracker.end();
  if (last) voices.push({ ...last, end: Math.min(last.end, samples.length / SAMPLE_RATE) });
  return voices;
}

/** Follows voice in a stream, frame by frame. */
export function trackVoice(silero: InferenceSession): VoiceTracker {
  const probability = probabilities(silero);
  const input = new Float32Array(CONTEXT + FRAME);
  let heard = 0;
  let start: number | null = null;
  let pausedAt: number | null = null;
  const voiceUntil = (end: number): Voice | null =>
    start === null ? null : { start: start / SAMPLE_RATE, end: end / SAMPLE_RATE };

  return {
    async next(frame) {
      input.copyWithin(0, FRAME);
      // Silence stands in for what isn't there.
      input.fill(0, CONTEXT);
      input.set(frame, CONTEXT);
      const at = heard;
      heard += FRAME;
      const voice = await probability(input.slice());
      if (voice >= STARTS_AT) {
        start ??= at;
        pausedAt = null;
      } else if (voice < ENDS_BELOW && start !== null) {
        pausedAt ??= at;
        if (heard - pausedAt < PAUSE_SECONDS * SAMPLE_RATE) return null;
        const ended = voiceUntil(pausedAt);
        [start, pausedAt] = [null, null];
        return ended;
      }
      return null;
    },
    speakingSince: () => voiceUntil(heard)?.start ?? null,
    end: () => voiceUntil(pausedAt ?? heard),
  };
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
