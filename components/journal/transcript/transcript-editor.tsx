import { useState } from 'react';
import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import { showError } from '@/components/ui/show-error';
import type { Transcription, Word } from '@/lib/journal/transcripts/contract';
import { realign } from './realign';
import { readWords, saveCorrection } from './save-correction';
import { type Draft, editableText, isSameWords } from './transcript-draft';
import { TranscriptForm } from './transcript-form';

/** Edits a transcript as text. Saves only if a word changed, merged with what was saved elsewhere meanwhile. */
export function TranscriptEditor({
  owner,
  entryId,
  duration,
  transcription,
  draft,
  onDraft,
  onDone,
}: OwnedEntry & {
  /** Seconds. */
  duration: number;
  transcription: Transcription;
  draft: Draft | null;
  onDraft: (draft: Draft | null) => void;
  /** Leaves edit mode with the current transcript. */
  onDone: (current: Transcription) => void;
}) {
  const [base] = useState(() => ({
    // What the server hears may replace a draft meanwhile, and would be compared with words that nobody saw.
    transcription,
    language: transcription.language,
    revision: draft ? draft.revision : transcription.revision,
    text: editableText(transcription.words),
  }));

  function close(current: Transcription) {
    onDraft(null);
    onDone(current);
  }

  /** Returns the words that were edited. If there are newer ones, or none are left, they aren't those on the page. */
  async function readBase(): Promise<readonly Word[]> {
    if (base.revision === base.transcription.revision) return base.transcription.words;
    return (base.revision !== null && (await readWords(entryId, base.revision))) || [];
  }

  async function save(text: string): Promise<boolean> {
    try {
      const before = await readBase();
      const words = realign(before.length > 0 ? before : base.transcription.words, text, duration);
      const correction = { entryId, revision: base.revision, base: before, words };
      const isChanged = !isSameWords(words, before);
      close(isChanged ? (await saveCorrection(owner, correction)).transcription : transcription);
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  }

  return (
    <TranscriptForm
      base={base}
      draft={draft}
      onDraft={onDraft}
      onSave={save}
      onCancel={() => close(transcription)}
    />
  );
}
