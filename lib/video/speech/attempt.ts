import type { Decoding } from './decode';
import { toWords, type WrittenWord } from './words';

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
