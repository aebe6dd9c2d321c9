import type { Word } from '@/lib/journal/transcripts/contract';
import { endsSentence } from './ends-sentence';

/** A run of words; `first` counts from the start of the transcript, and `start` is in seconds. */
export interface Paragraph {
  first: number;
  start: number;
  words: readonly Word[];
}

/** A longer silence starts a new paragraph, in seconds. */
const PAUSE = 1.2;
/** After this many words, the end of a sentence starts a new paragraph. */
const SPLIT_AFTER_WORDS = 60;
/** The most words in a paragraph, whatever its punctuation. */
const MAX_WORDS = 120;

/**
 * Splits a transcript into paragraphs where the speaker pauses, and where one would get too long to read. Together
 * they contain every word exactly once, in order.
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
    const long = length >= MAX_WORDS || (length >= SPLIT_AFTER_WORDS && endsSentence(word.word));
    if (after && !paused && !long) continue;
    found.push({ first, start: start.start_time, words: words.slice(first, next) });
    first = next;
  }
  return found;
}
