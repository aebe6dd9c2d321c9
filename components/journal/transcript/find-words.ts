import { UNSPACED } from '@/lib/journal/search/shared/unspaced';
import type { Word } from '@/lib/journal/transcripts/contract';

/** The indexes of the first and last word of a match. */
export interface Match {
  first: number;
  last: number;
}

/** Full-width Latin letters, and half-width Kana and Hangul. */
const OTHER_WIDTHS = /[\uff01-\uffdc]+/g;

/** Removes case and accents, and gives letters one width. */
export const normalizeText = (text: string) =>
  text
    .replace(OTHER_WIDTHS, (letters) => letters.normalize('NFKC'))
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();

/**
 * Returns every occurrence of a text in the transcript, in order, including across words. Spaces don't count in scripts that are
 * written without them.
 */
export function findWords(words: readonly Word[], text: string): Match[] {
  const typed = normalizeText(text).trim();
  const space = UNSPACED.test(typed) ? '' : ' ';
  const wanted = typed.replace(/\s+/g, space);
  if (!wanted) return [];
  const normalized = words.map(({ word }) => normalizeText(word));
  const all = normalized.join(space);
  const matches: Match[] = [];
  let index = 0;
  /** The offset of word `index` in `all`. */
  let begin = 0;
  const wordAt = (place: number) => {
    const lengthOf = () => normalized[index]?.length ?? 0;
    for (let length = lengthOf(); begin + length < place; length = lengthOf()) {
      begin += length + space.length;
      index++;
    }
    return index;
  };
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + wanted.length)) {
    matches.push({ first: wordAt(at + 1), last: wordAt(at + wanted.length) });
  }
  return matches;
}
