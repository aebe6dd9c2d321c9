import type { Word } from '@/lib/journal/transcripts/contract';

/** Returns the start of every word in seconds, computed once to keep the search fast. */
export function wordStarts(words: readonly Word[]): Float64Array {
  return Float64Array.from(words, (word) => word.start_time);
}

/**
 * Returns the index of the word spoken at a time: the last one that has started, so it stays current through the pause
 * that follows. A binary search, since this runs on every frame.
 * @param starts seconds, ascending
 * @returns -1 before the first word
 */
export function currentWord(starts: Float64Array, time: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
