import type { DraftTranscript } from '@/lib/video/speech/draft';
import type { WordsProblem } from '@/lib/video/speech/live-messages';

/** What's known of a recording's words. */
export interface HeardWords {
  /** The words so far. */
  draft: DraftTranscript | null;
  /** Whether these are all of them. Without a draft, there are none to come. */
  done: boolean;
}

export interface CaptionsState {
  /** Bytes of the engine that are on this device, of all; null once it's ready. */
  loading: { loaded: number; total: number } | null;
  problem: WordsProblem | null;
  /** The recording's last words, and those that may still change. */
  captions: { settled: string; open: string };
  /** By recording. */
  heard: ReadonlyMap<string, HeardWords>;
}

export const INITIAL_CAPTIONS: CaptionsState = {
  loading: { loaded: 0, total: 0 },
  problem: null,
  captions: { settled: '', open: '' },
  heard: new Map(),
};

/** Returns what a recording's words are known by: empty if the recording isn't saved on this device. */
export const recordingKey = (recordingId: string | null): string => recordingId ?? '';

/** More than three lines hold, in words. */
const CAPTION_WORDS = 40;

/** Returns the end of a transcript, for captions. */
export const captionOf = (draft: DraftTranscript | null): string =>
  (draft?.words ?? [])
    .slice(-CAPTION_WORDS)
    .map(({ word }) => word)
    .join(' ');

const PROBLEMS: Record<WordsProblem, string> = {
  download:
    'We couldn’t download what’s needed to show your words. Check your connection, then turn this off and on again. You can still record.',
  space:
    'This device doesn’t have enough space to show your words. Free up some space, then turn this off and on again. You can still record.',
  unsupported: 'This browser can’t show your words as you speak. You can still record.',
  slow: 'This device is too busy to show your words right now. You’re still recording, and we’ll transcribe your video after you upload it.',
  broken:
    'We can’t show your words right now. Turn this off and on again, or keep recording: we’ll transcribe your video after you upload it.',
};

/** Returns what's wrong and what to do. */
export const captionsProblemText = (problem: WordsProblem): string => PROBLEMS[problem];
