import type { StoredWord } from '@/db/schema/transcripts';
import type { Steps } from '@/lib/steps';

/** Words that are looked at in a step. */
const WORDS_IN_STEP = 1024;

const keyOf = ([word, start, end]: StoredWord) => `${start} ${end} ${word}`;

/** Returns words with the engine's confidence in those that nobody changed, in steps. */
export function* withConfidence(
  words: readonly StoredWord[],
  before: readonly StoredWord[],
): Steps<StoredWord[]> {
  const known = new Map<string, StoredWord>();
  for (const [index, word] of before.entries()) {
    known.set(keyOf(word), word);
    if (index % WORDS_IN_STEP === WORDS_IN_STEP - 1) yield;
  }
  const found: StoredWord[] = [];
  for (const [index, word] of words.entries()) {
    found.push(known.get(keyOf(word)) ?? word);
    if (index % WORDS_IN_STEP === WORDS_IN_STEP - 1) yield;
  }
  return found;
}

/** Returns whether two transcripts are stored alike. Doesn't write either as JSON, which takes a hundred times as long. */
export const isStoredAlike = (one: readonly StoredWord[], other: readonly StoredWord[]): boolean =>
  one.length === other.length &&
  one.every((word, index) => {
    const same = other[index];
    return word.length === same?.length && word.every((part, at) => part === same[at]);
  });
