import type { StoredWord } from '@/db/schema/transcripts';
import { endsSentence } from '@/lib/journal/transcripts/shared/ends-sentence';

/** A silence this long ends a sentence that has no punctuation, in seconds. */
const PAUSE_SECONDS = 0.9;
/** Longer sentences are split, since some engines write no punctuation. */
const MAX_WORDS = 40;

/** A range of a transcript's words: from the first index up to, but not including, the last. */
export interface WordRange {
  from: number;
  to: number;
}

/** Splits a transcript into sentences: at punctuation, at pauses, and where one would get too long to quote. */
export function sentences(words: readonly StoredWord[]): WordRange[] {
  const found: WordRange[] = [];
  let from = 0;
  for (let to = 1; to <= words.length; to++) {
    const [word, , end] = words[to - 1] as StoredWord;
    const next = words[to];
    const isPause = next !== undefined && next[1] - end > PAUSE_SECONDS;
    if (next && !endsSentence(word) && !isPause && to - from < MAX_WORDS) continue;
    found.push({ from, to });
    from = to;
  }
  return found;
}
