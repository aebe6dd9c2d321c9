import type { DemoClip } from '@/local/demo/clips';
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

/** A clip of the demo before it's made: who’s in it, where, and what they say. */
export interface Clip extends Omit<DemoClip, 'words'> {
  scene: Scene;
  voice: VoicePart[];
}
