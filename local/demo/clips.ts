import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { StoredWord } from '@/db/schema/transcripts';

/** The colors are some of those that the product offers. */
export const TAGS = {
  Reading: '#156BA6',
  Evenings: '#6B4CAE',
  Mornings: '#AB4931',
  Outdoors: '#616D27',
  Family: '#367646',
  'Print studio': '#8D6310',
  Travel: '#0A747D',
};

/** A short video of the demo, and what’s said in it. */
export interface DemoClip {
  id: string;
  /** What an entry with it may be called. The site takes the first. */
  titles: [string, ...string[]];
  tags: (keyof typeof TAGS)[];
  /** The months that it fits, 1 to 12; all of them by default. */
  months?: number[];
  words: StoredWord[];
}

/** Reads the list of clips, which `npm run assets -- sample` makes together with their files. */
export async function readClips(): Promise<DemoClip[]> {
  return JSON.parse(await readFile(new URL('clips.json', import.meta.url), 'utf8'));
}

/** Returns the path of a clip's video. */
export const clipFile = (id: string): string => fileURLToPath(new URL(`clips/${id}.mp4`, import.meta.url));
