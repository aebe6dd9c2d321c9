import type { Word } from '@/lib/journal/transcripts/contract';
import { paragraphs } from '@/lib/journal/transcripts/shared/paragraphs';

/** An unsaved edit and the revision it's based on. */
export interface Draft {
  revision: number | null;
  text: string;
}

/** Returns the words as editable text. */
export function editableText(words: readonly Word[]): string {
  return paragraphs(words)
    .map((part) => part.words.map(({ word }) => word).join(' '))
    .join('\n\n');
}

/** Returns the draft that a browser has stored; null if there's none. */
export function parseDraft(stored: string | null): Draft | null {
  try {
    return stored === null ? null : (JSON.parse(stored) as Draft);
  } catch {
    return null;
  }
}

/** Returns words as `saveTranscription` takes them. */
export const sentWords = (words: readonly Word[]) =>
  words.map(({ word, start_time, end_time }) => ({ word, startTime: start_time, endTime: end_time }));
