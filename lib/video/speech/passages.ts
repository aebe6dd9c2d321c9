import { type InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { type Passage, SAMPLE_RATE, type Span, type VoiceTracker } from './types';

/** From the start of its first voice to the end of its last. The model was trained on nothing longer than 30 s. */
const LONGEST_SECONDS = 28;
/** How much a cut may move from the longest to find a quieter place. */
const SEARCH_SECONDS = 14;
/** 0.1 s, and how far from the start of one to that of the next. */
const WINDOW = SAMPLE_RATE / 10;
const STEP = WINDOW / 8;

/** Finds what to recognize at once, in order. @param gain what the samples are multiplied with before Silero's model hears them */
export const findPassages = async (silero: InferenceSession, samples: Float32Array, gain: number) =>
  joinPassages(samples, await findVoice(silero, samples, gain));

/**
 * Joins voices to passages as long as the model can take, with the pauses between them: the model gets worse with every
 * cut. Speech that's longer without a pause is cut where it's quietest.
 */
function joinPassages(samples: Float32Array, voices: readonly Span[]): Passage[] {
  const passages: Passage[] = [];
  for (const { start, end } of voices.flatMap((voice) => splitLong(samples, voice))) {
    const last = passages.at(-1);
    if (last && end - last.start <= LONGEST_SECONDS) {
      last.end = end;
      last.voiced += end - start;
    } else {
      passages.push({ start, end, voiced: end - start });
    }
  }
  return passages;
}

function splitLong(samples: Float32Array, { start, end }: Span): Span[] {
  if (end - start <= LONGEST_SECONDS) return [{ start, end }];
  const latest = Math.min(start + LONGEST_SECONDS, end - 1);
  const cut = quietestPoint(samples, latest - SEARCH_SECONDS, latest);
  return [{ start, end: cut }, ...splitLong(samples, { start: cut, end })];
}

/** Returns the middle of the quietest 0.1 s between two times, in seconds. */
export function quietestPoint(samples: Float32Array, from: number, to: number): number {
  const first = Math.round(from * SAMPLE_RATE);
  const last = Math.min(Math.round(to * SAMPLE_RATE), samples.length) - WINDOW;
  let quietest = Number.POSITIVE_INFINITY;
  let at = first;
  for (let window = first; window <= last; window += STEP) {
    let squares = 0;
    for (const sample of samples.subarray(window, window + WINDOW)) squares += sample * sample;
    if (squares < quietest) [quietest, at] = [squares, window];
  }
  return (at + WINDOW / 2) / SAMPLE_RATE;
}

/** What the model takes at 16 kHz: a frame, after the last samples of the frame before it. */
const FRAME = 512;
const CONTEXT = 64;
const STATE_SHAPE = [2, 1, 128];

const STARTS_AT = 0.5;
const ENDS_BELOW = 0.35;
const PAUSE_SECONDS = 0.3;

/** Finds where somebody speaks, with Silero's model, in samples multiplied by `gain`. */
async function findVoice(silero: InferenceSession, samples: Float32Array, gain: number): Promise<Span[]> {
  const tracker = trackVoice(silero);
  const voices: Span[] = [];
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
  const voiceUntil = (end: number): Span | null =>
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
