import type { Word } from '@/lib/transcripts/contract';

/** Words that a search has found, from the first to the last of them; they count from 0. */
export interface Match {
  first: number;
  last: number;
}

/** Case and accents do not matter. */
const normalizeText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** All places, in order, where a text stands in the transcript, across words too. */
export function findWords(words: readonly Word[], text: string): Match[] {
  const wanted = normalizeText(text).trim().replace(/\s+/g, ' ');
  if (!wanted) return [];
  const said = words.map(({ word }) => normalizeText(word));
  const all = said.join(' ');
  const matches: Match[] = [];
  let index = 0;
  /** Where word `index` begins in `all`. */
  let begin = 0;
  const wordAt = (place: number) => {
    for (let length = said[index]?.length ?? 0; begin + length < place; length = said[index]?.length ?? 0) {
      begin += length + 1;
      index++;
    }
    return index;
  };
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + wanted.length)) {
    matches.push({ first: wordAt(at + 1), last: wordAt(at + wanted.length) });
  }
  return matches;
}
