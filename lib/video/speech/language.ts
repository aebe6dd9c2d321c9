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

/** English, mumbled or in a loud place, reaches -0.72. */
const FOREIGN_LOG_PROBABILITY = -0.78;

/**
 * The model is sure of itself in a loop, so that a passage counts as foreign if this share of its triples of words was
 * said before, and faster than people repeat themselves in a song, a prayer, or a game. In words per second of voice:
 * English of that kind had up to 3.0, and loops from 4.0 on.
 */
const REPEATED_SHARE = 0.3;
const LOOP_WORDS_PER_SECOND = 3.5;

/** A passage also counts as foreign if it has this many tokens for each word: what the model repeats isn't words. */
const TOKENS_PER_WORD = 3;
const LOOP_LOG_PROBABILITY = -1.5;

/** Returns the mean log-probability of the tokens of passages that have words, and how many there are. */
export function meanLogProbability(
  passages: readonly (Pick<Evidence, 'logProbability' | 'tokens'> & { words: readonly unknown[] })[],
): { logProbability: number | null; tokens: number } {
  const spoken = passages.filter(({ words }) => words.length > 0);
  const tokens = spoken.reduce((sum, passage) => sum + passage.tokens, 0);
  const sum = spoken.reduce((total, passage) => total + passage.logProbability * passage.tokens, 0);
  return { logProbability: tokens > 0 ? sum / tokens : null, tokens };
}

/** Returns the share of a text's triples of words that are in it more than once. */
function repeatedShare(words: readonly string[]): number {
  const keys = words.map((word) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  const triples = keys.slice(2).map((key, index) => `${keys[index]} ${keys[index + 1]} ${key}`);
  return triples.length === 0 ? 0 : 1 - new Set(triples).size / triples.length;
}

/** Returns whether the model repeated itself, and not the speaker. */
function isLoop({ words, tokens, voiced }: Evidence): boolean {
  if (words.length === 0) return false;
  const isFast = words.length > LOOP_WORDS_PER_SECOND * voiced;
  return (isFast && repeatedShare(words) > REPEATED_SHARE) || tokens / words.length > TOKENS_PER_WORD;
}

/**
 * Returns false if there's enough voice in an entry, and the English model could make nothing of it: its tokens were
 * unlikely, or it repeated itself.
 */
export function seemsEnglish(passages: readonly Evidence[]): boolean {
  let voiced = 0;
  let evidence = 0;
  for (const passage of passages) {
    voiced += passage.voiced;
    evidence += passage.voiced * (isLoop(passage) ? LOOP_LOG_PROBABILITY : passage.logProbability);
  }
  return voiced < ENOUGH_VOICE_SECONDS || evidence / voiced > FOREIGN_LOG_PROBABILITY;
}
