import type { StoredWord } from '@/db/schema/transcripts';
import type { Steps } from '@/lib/foundation/shared/steps';

/** Words that are looked at in a step. */
const WORDS_IN_STEP = 1024;

/** How many words with the same text that start at the same time are looked at: one has another's confidence otherwise. */
const MAX_ALIKE = 8;

const isSame = ([word, start, end]: StoredWord, other: StoredWord | undefined) =>
  other?.[0] === word && other[1] === start && other[2] === end;

/** For words in time order: finds each text's next word that starts at a time or later. Asked in time order, too. */
function* indexWords(words: readonly StoredWord[]): Steps<(word: StoredWord) => StoredWord | undefined> {
  const next = new Int32Array(words.length);
  const first = new Map<string, number>();
  for (let index = words.length - 1; index >= 0; index--) {
    const [text] = words[index] as StoredWord;
    next[index] = first.get(text) ?? -1;
    first.set(text, index);
    if (index % WORDS_IN_STEP === 0) yield;
  }
  return (word) => {
    const [text, start] = word;
    let at = first.get(text) ?? -1;
    while (at >= 0 && (words[at]?.[1] ?? 0) < start) at = next[at] ?? -1;
    first.set(text, at);
    for (let tried = 0; at >= 0 && tried < MAX_ALIKE; tried++, at = next[at] ?? -1)
      if (isSame(word, words[at])) return words[at];
    return undefined;
  };
}

/** Returns words with the engine's confidence in those that nobody changed, in steps. Both are in time order. */
export function* withConfidence(
  words: readonly StoredWord[],
  before: readonly StoredWord[],
): Steps<StoredWord[]> {
  const find = yield* indexWords(before.filter((word) => word.length > 3));
  const found: StoredWord[] = [];
  for (const [index, word] of words.entries()) {
    found.push(find(word) ?? word);
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
