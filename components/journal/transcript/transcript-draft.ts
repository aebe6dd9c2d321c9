import { useMemo } from 'react';
import { parseSaved } from '@/components/ui/browser-storage';
import { useDraft } from '@/components/ui/use-draft';
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

/** Returns an account's unsaved edit of a transcript, which survives a reload, and a function that changes it. */
export function useTranscriptDraft(
  owner: string,
  entryId: string,
): [Draft | null, (draft: Draft | null) => void] {
  const [stored, setStored] = useDraft(owner, `transcript:${entryId}`);
  const draft = useMemo(() => parseSaved<Draft>(stored), [stored]);
  return [draft, (next) => setStored(next && JSON.stringify(next))];
}

/** Returns words as `saveTranscription` takes them. */
export const sentWords = (words: readonly Word[]) =>
  words.map(({ word, start_time, end_time }) => ({ word, startTime: start_time, endTime: end_time }));

/** Returns whether two transcripts have the same words at the same times. */
export const isSameWords = (one: readonly Word[], two: readonly Word[]): boolean =>
  one.length === two.length &&
  one.every((word, index) => {
    const other = two[index];
    return (
      word.word === other?.word && word.start_time === other.start_time && word.end_time === other.end_time
    );
  });

/** Names the account's value with the revision that was saved here over another correction of the same words. */
export const mergedRevisionKey = (entryId: string) => `merged-revision:${entryId}`;
