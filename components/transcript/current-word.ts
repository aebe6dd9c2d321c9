import type { Word } from '@/lib/transcripts/contract';

/** The start of every word in seconds, made once so that a search touches numbers only. */
export function wordStarts(words: readonly Word[]): Float64Array {
  return Float64Array.from(words, (word) => word.start_time);
}

/**
 * The word being said at a moment: the last one that has started, so that a word stays current through the pause
 * after it. Binary search, as this runs with every frame.
 * @param starts seconds, ascending
 * @returns an index, or -1 before the first word
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
