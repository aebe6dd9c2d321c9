import {
  END_TOKEN,
  encode,
  type Moonshine,
  normalizerOf,
  runDecoder,
  START_TOKEN,
  selectTexts,
} from './moonshine';
import { SAMPLE_RATE } from './types';

/** A token of Llama's vocabulary, which Moonshine uses, with its natural log-probability. */
export interface Token {
  id: number;
  logProbability: number;
}

/** What the model heard. Without an end token it was stopped, since it repeated itself or made things up. */
export interface Decoding {
  tokens: Token[];
  /** The log-probability of the end token, or null if it never came. */
  end: number | null;
}

/** A text that isn't at its end yet. */
interface Hypothesis {
  tokens: Token[];
  /** The sum of its tokens' log-probabilities. */
  sum: number;
}

/** A hypothesis with one more token. */
interface Continuation extends Hypothesis {
  /** Which hypothesis it goes on with. */
  text: number;
  next: Token;
}

const MAX_TOKENS_PER_SECOND = 6.5;
const MIN_TOKEN_LIMIT = 4;

/**
 * Recognizes speech of at most 30 s with a beam search: it goes on with the `width` likeliest texts at once. One is
 * fastest. Three take 1.4 times as long, since they're computed together, and get fewer words wrong.
 * @throws the signal's reason as soon as it aborts
 */
export async function decode(
  moonshine: Moonshine,
  samples: Float32Array,
  { width, signal }: { width: number; signal?: AbortSignal | undefined },
): Promise<Decoding> {
  const sound = await encode(moonshine, samples);
  const limit = Math.ceil((samples.length / SAMPLE_RATE) * MAX_TOKENS_PER_SECOND) + MIN_TOKEN_LIMIT;
  let hypotheses: Hypothesis[] = [{ tokens: [], sum: 0 }];
  let best: (Decoding & { mean: number }) | null = null;
  let cache = null;
  for (let step = 0; step < limit; step++) {
    signal?.throwIfAborted();
    const last = hypotheses.map(({ tokens }) => [tokens.at(-1)?.id ?? START_TOKEN]);
    const output = await runDecoder(moonshine, sound, last, cache);
    const continuations = continueAll(hypotheses, output.logits.data as Float32Array, width);

    for (const { text, next, sum } of continuations.slice(0, width).filter(isEnded)) {
      const tokens = hypotheses[text]?.tokens ?? [];
      const mean = sum / (tokens.length + 1);
      if (!best || mean > best.mean) best = { tokens, end: next.logProbability, mean };
    }
    const going = continuations.filter((continuation) => !isEnded(continuation)).slice(0, width);
    hypotheses = going;
    // A mean may still rise, but hardly ever that much.
    if (best && going.every(({ tokens, sum }) => sum / tokens.length <= (best?.mean ?? 0))) break;
    const texts = going.map(({ text }) => text);
    const isSame = texts.length === last.length && texts.every((text, index) => text === index);
    cache = isSame ? output.cache : selectTexts(output.cache, texts);
  }
  return best ?? { tokens: hypotheses[0]?.tokens ?? [], end: null };
}

const isEnded = ({ next }: Continuation) => next.id === END_TOKEN;

/** Returns the likeliest continuations, best first. Only those an end could displace are needed beyond `width`. */
function continueAll(hypotheses: readonly Hypothesis[], logits: Float32Array, width: number): Continuation[] {
  const size = logits.length / hypotheses.length;
  const all = hypotheses.flatMap(({ tokens, sum }, text) =>
    likeliest(logits.subarray(text * size, (text + 1) * size), width + 1).map((next) => ({
      text,
      next,
      tokens: [...tokens, next],
      sum: sum + next.logProbability,
    })),
  );
  return all.sort((a, b) => b.sum - a.sum);
}

/** Returns the tokens with the highest logits, best first. */
function likeliest(logits: Float32Array, count: number): Token[] {
  const ids: number[] = [];
  let lowest = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id] as number;
    if (ids.length === count && logit <= lowest) continue;
    const at = ids.findIndex((other) => (logits[other] as number) < logit);
    ids.splice(at < 0 ? ids.length : at, 0, id);
    if (ids.length > count) ids.pop();
    lowest = logits[ids.at(-1) as number] as number;
  }
  const normalizer = normalizerOf(logits);
  return ids.map((id) => ({ id, logProbability: (logits[id] as number) - normalizer }));
}
