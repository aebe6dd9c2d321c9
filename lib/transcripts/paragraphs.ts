import type { Word } from './contract';

/** A run of words; `first` counts from the start of the transcript, `start` is in seconds. */
export interface Paragraph {
  first: number;
  start: number;
  words: readonly Word[];
}

/** A longer silence begins a new paragraph; in seconds. */
const PAUSE = 1.2;
/** From this many words on, the end of a sentence begins a new paragraph. */
const SPLIT_AFTER_WORDS = 60;
/** No paragraph is longer, whatever its punctuation. */
const MAX_WORDS = 120;

const endsSentence = (word: Word) => /[.?!…。？！]["'”’)]*$/.test(word.word);

/**
 * Cuts a transcript into paragraphs where the speaker pauses, and where one would grow too long to read. Together
 * they hold every word exactly once and in order.
 */
export function paragraphs(words: readonly Word[]): Paragraph[] {
  const found: Paragraph[] = [];
  let first = 0;
  for (let next = 1; next <= words.length; next++) {
    const word = words[next - 1];
    const after = words[next];
    const start = words[first];
    if (!word || !start) break;
    const length = next - first;
    const paused = after !== undefined && after.start_time - word.end_time > PAUSE;
    const long = length >= MAX_WORDS || (length >= SPLIT_AFTER_WORDS && endsSentence(word));
    if (after && !paused && !long) continue;
    found.push({ first, start: start.start_time, words: words.slice(first, next) });
    first = next;
  }
  return found;
}
