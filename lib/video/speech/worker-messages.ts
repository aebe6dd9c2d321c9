import type { Passage, RecognizedPassage } from './types';

/** Asks for the passages in these samples or, with `passage`, for the words in one. */
export interface WorkerRequest {
  /** In memory that both threads share. */
  samples: Float32Array;
  passage?: Passage;
  vocabulary?: readonly string[];
}

export type WorkerAnswer = { passages: Passage[] } | { heard: RecognizedPassage } | { error: string };
