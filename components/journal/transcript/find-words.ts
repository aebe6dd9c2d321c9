import type { Word } from '@/lib/journal/transcripts/contract';

/** The indexes of the first and last word of a match. */
export interface Match {
  first: number;
  last: number;
}

/** Removes case and accents. */
export const normalizeText = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns every occurrence of a text in the transcript, in order, including across words. */
export function findWords(words: readonly Word[], text: string): Match[] {
  const wanted = normalizeText(text).trim().replace(/\s+/g, ' ');
  if (!wanted) return [];
  const normalized = words.map(({ word }) => normalizeText(word));
  const all = normalized.join(' ');
  const matches: Match[] = [];
  let index = 0;
  /** The offset of word `index` in `all`. */
  let begin = 0;
  const wordAt = (place: number) => {
    const lengthOf = () => normalized[index]?.length ?? 0;
    for (let length = lengthOf(); begin + length < place; length = lengthOf()) {
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
