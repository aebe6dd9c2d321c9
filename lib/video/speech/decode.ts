import tokenizer from 'llama-tokenizer-js';
import {
  END_TOKEN,
  encode,
  type Moonshine,
  normalizerOf,
  runDecoder,
  START_TOKEN,
  selectTexts,
} from './moonshine';
import { SAMPLE_RATE, type WrittenWord } from './types';

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

const SPACE = '▁';

/** Joins tokens to words. A character that's outside the vocabulary is several tokens, one for each byte. */
export function toWords(tokens: readonly Token[]): WrittenWord[] {
  const words: { bytes: number[]; logProbabilities: number[] }[] = [];
  for (const { id, logProbability } of tokens) {
    const piece = tokenizer.vocabById[id] ?? '';
    if (piece.startsWith(SPACE) || words.length === 0) words.push({ bytes: [], logProbabilities: [] });
    const word = words.at(-1);
    word?.bytes.push(...bytesOf(piece));
    word?.logProbabilities.push(logProbability);
  }
  return words
    .map(({ bytes, logProbabilities }) => ({
      word: new TextDecoder().decode(Uint8Array.from(bytes)).replaceAll(SPACE, ' ').trim(),
      confidence: Math.exp(mean(logProbabilities)),
    }))
    .filter(({ word }) => /[\p{L}\p{N}]/u.test(word));
}

function bytesOf(piece: string): Iterable<number> {
  const [, byte] = /^<0x([0-9A-F]{2})>$/.exec(piece) ?? [];
  return byte ? [Number.parseInt(byte, 16)] : new TextEncoder().encode(piece);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** One decoding of a passage, and how good it seems. */
export interface Attempt {
  words: WrittenWord[];
  /** The mean natural log-probability of the tokens, end token included. */
  logProbability: number;
  tokens: number;
  /** The log-probability, less what looks wrong otherwise. Higher is better. */
  score: number;
}

/** Below this score, another way to cut the passage may be better. */
export const DOUBTFUL_SCORE = -0.25;

const LOOP_PENALTY = 1;
const SILENT_SCORE = -2;
/** Nobody speaks for that long without a word. */
const VOICE_WITH_WORDS_SECONDS = 0.6;
/** Most people speak two to four words a second. */
const SLOWEST_WORDS_PER_SECOND = 1.2;
/** Noise that the model takes for words, and breaths and coughs: often more words than anybody says in that time. */
const UNINTELLIGIBLE = -0.9;
const UNINTELLIGIBLE_IF_SHORT = -0.4;
const SHORT_SECONDS = 0.25;
const FASTEST_WORDS_PER_SECOND = 6;
const LONGEST_LOOP_WORDS = 4;
const LOOP_ROUNDS = 3;

/** Judges decodings of consecutive parts of a passage with `voiced` seconds of voice. */
export function judge(decodings: readonly Decoding[], voiced: number): Attempt {
  const words = decodings.flatMap((decoding) => withoutEndlessLoop(decoding));
  const probabilities = decodings.flatMap(({ tokens, end }) => [
    ...tokens.map(({ logProbability }) => logProbability),
    ...(end === null ? [] : [end]),
  ]);
  const logProbability = probabilities.reduce((sum, value) => sum + value, 0) / probabilities.length;
  const attempt = { words, logProbability, tokens: probabilities.length };
  if (words.length === 0 && voiced > VOICE_WITH_WORDS_SECONDS) return { ...attempt, score: SILENT_SCORE };
  const isEndless = decodings.some(({ end }) => end === null);
  const penalty = isEndless || findLoop(words) >= 0 ? LOOP_PENALTY : 0;
  const missing = Math.max(0, SLOWEST_WORDS_PER_SECOND - words.length / voiced);
  return { ...attempt, score: logProbability - penalty - missing / 2 };
}

/** Tells whether an attempt's words are worth showing. */
export function isIntelligible({ logProbability, words }: Attempt, voiced: number): boolean {
  const isShort = voiced < SHORT_SECONDS || words.length > voiced * FASTEST_WORDS_PER_SECOND;
  return logProbability >= (isShort ? UNINTELLIGIBLE_IF_SHORT : UNINTELLIGIBLE);
}

/** Returns a decoding's words. One that never ended repeats itself: what it repeats is left out. */
function withoutEndlessLoop({ tokens, end }: Decoding): WrittenWord[] {
  const words = toWords(tokens);
  const loop = end === null ? findLoop(words) : -1;
  return loop < 0 ? words : words.slice(0, loop);
}

/** Returns where one to four words are first said three times in a row, or -1. */
function findLoop(words: readonly WrittenWord[]): number {
  const spoken = words.map(({ word }) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return spoken.findIndex((_, start) =>
    Array.from({ length: LONGEST_LOOP_WORDS }, (_, index) => index + 1).some((length) => {
      const round = spoken.slice(start, start + length);
      const end = start + length * LOOP_ROUNDS;
      return end <= spoken.length && spoken.slice(start, end).every((word, i) => word === round[i % length]);
    }),
  );
}
