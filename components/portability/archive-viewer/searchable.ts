import { normalizeText } from '@/components/journal/transcript/find-words';
import type { ViewerMonth } from '@/lib/portability/exports/format';
import type { ViewerEntry } from './journal';

/** An entry in the form that's searched: strings, since a million words as objects would take too much memory. */
export interface Searchable {
  entry: ViewerEntry;
  /** Title, tags, and notes, each on a line, folded. */
  about: string;
  /** The transcript, with one space between words. */
  words: string;
  /** The same words, folded. */
  folded: string;
  /** When each word is said, in seconds. */
  starts: Float32Array;
}

/** Punctuation at either end of a word. */
const AROUND_WORD = /(?<=^|\s)[^\p{L}\p{N}\s]+|[^\p{L}\p{N}\s]+(?=\s|$)/gu;

/** Removes case, accents, and punctuation around words. The spaces between words stay. */
export const foldText = (text: string): string =>
  normalizeText(text).replaceAll('’', "'").replace(AROUND_WORD, '');

const aboutText = ({ title, tags, notes }: ViewerEntry): string =>
  [title, ...tags.map(({ name }) => name), ...notes.map(({ text }) => text)]
    .map((text) => foldText(text).replaceAll('\n', ' '))
    .join('\n');

/** Prepares entries of a month for {@link matchEntry}. @param month their words; null if there are none */
export function toSearchable(entries: readonly ViewerEntry[], month: ViewerMonth | null): Searchable[] {
  return entries.map((entry) => {
    const spoken = month?.[entry.id]?.words ?? [];
    const words = spoken.map(([word]) => word.replace(/\s+/g, '_')).join(' ');
    return {
      entry,
      about: aboutText(entry),
      words,
      folded: foldText(words),
      starts: Float32Array.from(spoken, ([, start]) => start),
    };
  });
}
