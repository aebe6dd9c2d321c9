import type { Scene } from './picture';

/** A stretch of a recording, and what's said in it. */
export interface VoicePart {
  /** Below the project's folder. */
  file: string;
  text: string;
  /** Seconds in the file; all of it by default. */
  from?: number;
  until?: number;
}

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
type SampleTag = keyof typeof TAGS;

/** A short video: who’s in it, where, and what they say. */
export interface Clip {
  id: string;
  /** What an entry with it may be called. The site takes the first. */
  titles: [string, ...string[]];
  tags: SampleTag[];
  /** The months that it fits, 1 to 12; all of them by default. */
  months?: number[];
  scene: Scene;
  voice: VoicePart[];
}
