import type { StoredWord } from '@/db/schema/entries';
import type { SearchResult } from './contract';

type Match = SearchResult['matches'][number];

/** The numbers of the first and last matching words, counted from 1. */
export type Occurrence = [first: number, last: number];

/** The most snippets per result, and how many words to show before and after the first matching one. */
const MAX_SNIPPETS = 2;
const BEFORE = 8;
const AFTER = 16;

/** An index doesn't tell higher positions apart (a Postgres limit), so they don't point to a time. */
const LAST_POSITION = 16_382;

/** Returns the occurrences to show: the first one, and the first one that its snippet doesn't include. */
export function pickOccurrences(found: Occurrence[]): Occurrence[] {
  const picked: Occurrence[] = [];
  for (const occurrence of found) {
    const shown = picked.at(-1);
    if (occurrence[1] > LAST_POSITION || picked.length === MAX_SNIPPETS) break;
    if (!shown || occurrence[0] > shown[0] + AFTER) picked.push(occurrence);
  }
  return picked;
}

/** Returns the range of words that each snippet shows, without overlaps. */
export function rangesAround(picked: Occurrence[]): { from: number; to: number }[] {
  let shown = 0;
  return picked.map(([first]) => {
    const stretch = { from: Math.max(shown + 1, first - BEFORE), to: first + AFTER };
    shown = stretch.to;
    return stretch;
  });
}

/** Builds a snippet with its matching words marked. `from` is the number of its first word. */
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
    // Merge a phrase into one mark.
    const last = marks.at(-1);
    if (last && near.some(([first, end]) => first < number && number <= end)) last[1] = text.length;
    else marks.push([at, text.length]);
  }
  return { start_time: hit[1], text, marks };
}
