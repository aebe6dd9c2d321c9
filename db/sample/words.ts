import { readFile } from 'node:fs/promises';
import type { StoredWord } from '@/db/schema/transcripts';
import type { Clip } from './clip';

/** When each word of a clip is said, by the clip's id: start and end in seconds. */
export type ClipWords = Record<string, [start: number, end: number][]>;

/** Reads the times that `scripts/build-sample.ts` has found. */
export async function readWordTimes(): Promise<ClipWords> {
  return JSON.parse(await readFile(new URL('word-times.json', import.meta.url), 'utf8'));
}

/**
 * Returns a clip's words as a transcript stores them.
 * @throws Error if the times are those of another text
 */
export function wordsOf(clip: Clip, times: ClipWords): StoredWord[] {
  const words = clip.voice.flatMap(({ text }) => text.split(' '));
  const known = times[clip.id] ?? [];
  if (known.length !== words.length) {
    throw new Error(`The words of "${clip.id}" have changed. Run \`npm run sample\`.`);
  }
  return known.map(([start, end], index) => [words[index] ?? '', start, end]);
}
