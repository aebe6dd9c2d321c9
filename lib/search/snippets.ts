import type { StoredWord } from '@/db/schema/entries';
import type { SearchResult } from './contract';

type Match = SearchResult['matches'][number];

/** First and last of the words found, by their numbers from 1. */
export type Occurrence = [first: number, last: number];

/** How many snippets a result has at most, and how many words stand before and after the first one found. */
const MAX_SNIPPETS = 2;
const BEFORE = 8;
const AFTER = 16;

/** Numbers above are not kept apart in an index (Postgres's limit for positions), so they lead to no moment. */
const LAST_POSITION = 16_382;

/** The occurrences that a snippet is made around: the first, and the first that it does not show. */
export function pickOccurrences(found: Occurrence[]): Occurrence[] {
  const picked: Occurrence[] = [];
  for (const occurrence of found) {
    const shown = picked.at(-1);
    if (occurrence[1] > LAST_POSITION || picked.length === MAX_SNIPPETS) break;
    if (!shown || occurrence[0] > shown[0] + AFTER) picked.push(occurrence);
  }
  return picked;
}

/** The numbers of the words that each snippet shows, none of them twice. */
export function rangesAround(picked: Occurrence[]): { from: number; to: number }[] {
  let shown = 0;
  return picked.map(([first]) => {
    const stretch = { from: Math.max(shown + 1, first - BEFORE), to: first + AFTER };
    shown = stretch.to;
    return stretch;
  });
}

/** Marks the words found in a stretch that begins with word number `from`. */
export function snippet(
  words: StoredWord[],
  from: number,
  [start]: Occurrence,
  found: Occurrence[],
): Match | null {
  const hit = words[start - from];
  if (!hit) return null;
  const near = found.filter(([first, last]) => last >= from && first < from + words.length);
  let text = '';
  const marks: [number, number][] = [];
  for (const [index, [word]] of words.entries()) {
    const number = from + index;
    if (text) text += ' ';
    const at = text.length;
    text += word;
    if (!near.some(([first, last]) => first <= number && number <= last)) continue;
    // A phrase is one mark.
    const last = marks.at(-1);
    if (last && near.some(([first, end]) => first < number && number <= end)) last[1] = text.length;
    else marks.push([at, text.length]);
  }
  return { start_time: hit[1], text, marks };
}
