import type { StoredWord } from '@/db/schema/transcripts';
import type { SearchResult } from './contract';

type Match = SearchResult['matches'][number];

/** The numbers of the first and last matching words, counted from 1. */
export type Occurrence = [first: number, last: number];

/** The most snippets per result. */
export const MAX_SNIPPETS = 2;
/** How many words to show at most before and after the first matching one. */
const BEFORE = 12;
const AFTER = 16;

const SENTENCE_END = /[.?!…]["”’)]?$/;

/** An index doesn't tell higher positions apart (a Postgres limit), so they don't point to a time. */
const LAST_POSITION = 16_382;

/** Returns the moments to show: the first occurrence, and then each first one that the snippet before doesn't include. */
export function pickOccurrences(found: Occurrence[]): Occurrence[] {
  const picked: Occurrence[] = [];
  for (const occurrence of found) {
    const shown = picked.at(-1);
    if (occurrence[1] > LAST_POSITION) break;
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

/**
 * Returns the part of the words from the start of the sentence with the first matching word to the end of the one with
 * the last, as indexes. A sentence that's longer is cut off.
 */
function wholeSentences(
  words: StoredWord[],
  firstHit: number,
  lastHit: number,
): [from: number, until: number] {
  const ends = (index: number) => SENTENCE_END.test(words[index]?.[0] ?? '');
  let from = firstHit;
  while (from > 0 && !ends(from - 1)) from -= 1;
  let until = Math.min(lastHit + 1, words.length);
  while (until < words.length && !ends(until - 1)) until += 1;
  return [from, until];
}

/**
 * Builds a snippet with its matching words marked.
 * @param words the words around the match, which the snippet doesn't need to show all
 * @param from the number of the first of them
 */
export function snippet(
  words: StoredWord[],
  from: number,
  [start]: Occurrence,
  found: Occurrence[],
): Match | null {
  const hit = words[start - from];
  if (!hit) return null;
  const near = found.filter(([first, last]) => last >= start && first < from + words.length);
  const [begin, until] = wholeSentences(words, start - from, (near.at(-1)?.[1] ?? start) - from);
  let text = '';
  const marks: [number, number][] = [];
  for (const [index, [word]] of words.entries()) {
    if (index < begin || index >= until) continue;
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
