import type { Word } from '@/lib/journal/transcripts/contract';

/** A word as its parts, the way it's stored: text, start and end in seconds, and the engine's confidence if it gave one. */
type WordParts = readonly [word: string, start: number, end: number, confidence?: number];

/** Returns words as the API returns them. */
export const presentWords = (words: readonly WordParts[]): Word[] =>
  words.map(([word, start_time, end_time, confidence]) => ({
    word,
    start_time,
    end_time,
    ...(confidence !== undefined && { confidence }),
  }));

/**
 * Returns words as a text, for a page's data. React would write, read, and write again each of a thousand objects, which
 * takes longer than the rest of the page.
 */
export const packWords = (words: readonly Word[]): string =>
  JSON.stringify(
    words.map(({ word, start_time, end_time, confidence }) =>
      confidence === undefined ? [word, start_time, end_time] : [word, start_time, end_time, confidence],
    ),
  );

/** Returns the words that {@link packWords} has made a text of. */
export const unpackWords = (text: string): Word[] => presentWords(JSON.parse(text) as WordParts[]);
