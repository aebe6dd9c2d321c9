/** What was recognized in a passage. `words` are those that were intelligible. */
interface Evidence {
  /** Seconds of voice. */
  voiced: number;
  /** The mean natural log-probability of its tokens. */
  logProbability: number;
  tokens: number;
  words: readonly string[];
}

/** Less voice than this says nothing about the language. */
const ENOUGH_VOICE_SECONDS = 5;

/** English, mumbled or in a loud place, reaches -0.7. */
const FOREIGN_LOG_PROBABILITY = -0.85;

/**
 * The model is sure of itself in a loop, so that a passage counts as foreign if this share of its triples of words
 * was said before, or if it has this many tokens for each word: what other languages make it repeat isn't words.
 */
const REPEATED_SHARE = 0.3;
const TOKENS_PER_WORD = 3;
const LOOP_LOG_PROBABILITY = -1.5;

/** Returns the share of a text's triples of words that are in it more than once. */
function repeatedShare(words: readonly string[]): number {
  const keys = words.map((word) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  const triples = keys.slice(2).map((key, index) => `${keys[index]} ${keys[index + 1]} ${key}`);
  return triples.length === 0 ? 0 : 1 - new Set(triples).size / triples.length;
}

/**
 * Returns false if there's enough voice in an entry, and the English model could make nothing of it: its tokens were
 * unlikely, or it repeated itself.
 */
export function seemsEnglish(passages: readonly Evidence[]): boolean {
  let voiced = 0;
  let evidence = 0;
  for (const { words, tokens, logProbability, ...passage } of passages) {
    const loops =
      repeatedShare(words) > REPEATED_SHARE || (words.length > 0 && tokens / words.length > TOKENS_PER_WORD);
    voiced += passage.voiced;
    evidence += passage.voiced * (loops ? LOOP_LOG_PROBABILITY : logProbability);
  }
  return voiced < ENOUGH_VOICE_SECONDS || evidence / voiced > FOREIGN_LOG_PROBABILITY;
}
