import type { DraftTranscript } from './draft';

/** What a page tells the worker that recognizes speech, one recording after another. */
export type ToSpeechWorker =
  /** Words that the speaker is known to use. */
  | { type: 'vocabulary'; words: readonly string[] }
  | { type: 'record'; recording: string; rate: number }
  /** The next samples belong to this second of the recording. */
  | { type: 'continue'; at: number }
  | { type: 'samples'; samples: Float32Array }
  /** The recording has ended after `length` seconds. */
  | { type: 'finish'; length: number };

/** Why words can't be shown. */
export type WordsProblem = 'download' | 'space' | 'unsupported' | 'slow' | 'broken';

/** What the worker tells the page. Sizes are in bytes. Everything before the second `until` has been recognized. */
export type FromSpeechWorker =
  | { type: 'loading'; loaded: number; total: number }
  | { type: 'ready' }
  /** There are no more words in this recording, and none in the next ones if it isn't `slow`. */
  | { type: 'failed'; problem: WordsProblem }
  | { type: 'text'; recording: string; text: string }
  /** Nobody speaks, so there are no new words. */
  | { type: 'silence'; recording: string; until: number }
  | { type: 'draft'; recording: string; draft: DraftTranscript | null; until: number }
  /** All words of a recording. */
  | { type: 'finished'; recording: string; draft: DraftTranscript | null; until: number };
