import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import type { Transcription, Word } from '@/lib/journal/transcripts/contract';
import { realign } from './realign';
import { type Draft, editableText, sentWords } from './transcript-draft';
import { TranscriptForm } from './transcript-form';

const isSameWords = (one: readonly Word[], two: readonly Word[]) =>
  one.length === two.length && one.every((word, index) => word === two[index]);

/**
 * Edits a transcript as text. Saves only if a word changed. If someone else saved first, keeps both versions and asks
 * which one should be current.
 */
export function TranscriptEditor({
  entryId,
  duration,
  transcription,
  draft,
  onDraft,
  onDone,
}: {
  entryId: string;
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
    revision: draft ? draft.revision : transcription.revision,
    text: editableText(transcription.words),
  }));
  const [theirs, setTheirs] = useState<Transcription | null>(null);
  const [saving, setSaving] = useState(false);
  const text = draft?.text ?? base.text;

  function close(current: Transcription) {
    onDraft(null);
    onDone(current);
  }

  /** Aligns the text with the words of `over` and saves it as an edit of that revision. */
  async function post(over: Transcription, revision = over.revision): Promise<Transcription> {
    const words = realign(over.words, text, duration);
    if (isSameWords(words, over.words) && revision === over.revision) return over;
    const body = { transcription: { words: sentWords(words) }, revision };
    return (await call('POST /entry/:id/transcription', { params: { id: entryId }, body })).transcription;
  }

  /** Saves this version to the history and makes theirs current again. */
  async function saveThenRestoreTheirs(other: Transcription): Promise<Transcription> {
    const mine = await post(other);
    const { revision } = other;
    if (mine.revision === revision || revision === null) return mine;
    return (
      await call('POST /entry/:id/transcription/revisions/:revision/restore', {
        params: { id: entryId, revision },
      })
    ).transcription;
  }

  async function trySave(work: () => Promise<Transcription>) {
    setSaving(true);
    try {
      close(await work());
    } catch (error) {
      if (error instanceof ApiError && error.code === 'conflict') await loadConflict();
      else showError(error);
      setSaving(false);
    }
  }

  /** Fetches the version that someone else saved. */
  async function loadConflict() {
    try {
      setTheirs((await call('GET /entry/:id', { params: { id: entryId } })).transcription);
    } catch (error) {
      showError(error);
    }
  }

  return (
    <TranscriptForm
      original={base.text}
      text={text}
      language={transcription.language}
      saving={saving}
      onType={(typed) => onDraft(typed === base.text ? null : { revision: base.revision, text: typed })}
      onSave={() => void trySave(() => post(base.transcription, base.revision))}
      onCancel={() => close(transcription)}
    >
      {theirs && (
        <div role="alert" className="flex flex-col gap-3 rounded-12 border border-warn p-4 text-15">
          <p>
            This transcript was changed elsewhere while you were editing. Nothing is lost: both versions stay
            in its history. Which one should be current?
          </p>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" busy={saving} onClick={() => void trySave(() => post(theirs))}>
              Keep mine
            </Button>
            <Button
              size="sm"
              variant="secondary"
              busy={saving}
              onClick={() => void trySave(() => saveThenRestoreTheirs(theirs))}
            >
              Use the other version
            </Button>
          </div>
        </div>
      )}
    </TranscriptForm>
  );
}
