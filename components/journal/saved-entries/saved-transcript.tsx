import { useState } from 'react';
import type { EditedEntry } from '@/components/journal/offline-edits/edit';
import { correctTranscript } from '@/components/journal/offline-edits/edit-store';
import { useSentChanges } from '@/components/journal/offline-edits/sent-changes';
import { UnsentEdit } from '@/components/journal/offline-edits/unsent-edit';
import { isStored, useEditSending, useEdits } from '@/components/journal/offline-edits/use-edits';
import { MergeNotice } from '@/components/journal/transcript/merge-notice';
import { ReadTranscript } from '@/components/journal/transcript/read-transcript';
import { realign } from '@/components/journal/transcript/realign';
import { editableText, useTranscriptDraft } from '@/components/journal/transcript/transcript-draft';
import { TranscriptForm } from '@/components/journal/transcript/transcript-form';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import type { Entry } from '@/lib/journal/entries/contract';
import type { Transcription } from '@/lib/journal/transcripts/contract';

/** Returns an entry's transcript as corrected on this device. @param initial as the server last had it */
function useOfflineTranscript(owner: string, entryId: string, initial: Transcription) {
  const [sent, setSent] = useState<Transcription | null>(null);
  useSentChanges(entryId, ({ transcription }) => transcription && setSent(transcription));
  const saved = sent && (sent.revision ?? 0) > (initial.revision ?? 0) ? sent : initial;
  const edits = useEdits(owner, entryId);
  const edit = edits.find((one) => one.kind === 'corrected-transcript') ?? null;
  const shown: Transcription = edit ? { ...saved, words: [...edit.words], status: 'completed' } : saved;
  return {
    /** As the server last had it. */
    saved,
    /** With the correction that was made here, if there's one. */
    shown,
    /** The correction that waits to be sent or decided on; null if there's none. */
    edit,
  };
}

/** Edits a transcript as text without a network. Saving stores it on this device until it's sent. */
function OfflineTranscriptEditor({
  of,
  duration,
  transcript: { saved, shown },
  onDone,
}: {
  of: EditedEntry;
  /** Seconds. */
  duration: number;
  transcript: ReturnType<typeof useOfflineTranscript>;
  /** Leaves edit mode. */
  onDone: () => void;
}) {
  const [draft, setDraft] = useTranscriptDraft(of.owner, of.entryId);
  // What's sent meanwhile must not move the words that are being edited.
  const [{ before, base }] = useState({
    before: saved,
    base: { ...shown, revision: saved.revision, text: editableText(shown.words) },
  });
  const send = useEditSending(of.owner);

  function close() {
    setDraft(null);
    onDone();
  }

  async function save(text: string): Promise<boolean> {
    const words = realign(base.words, text, duration);
    const done = await isStored(correctTranscript(of, before, words));
    if (!done) return false;
    send();
    close();
    return true;
  }

  return <TranscriptForm base={base} draft={draft} onDraft={setDraft} onSave={save} onCancel={close} />;
}

function messageOf({ words, status }: Transcription): string | null {
  if (words.length > 0) return null;
  return status === 'no_speech'
    ? 'We couldn’t hear any words in this video.'
    : 'This entry has no transcript.';
}

/** Shows a saved entry's transcript, which can be corrected without a network. */
export function SavedTranscript({ owner, entry }: { owner: string; entry: Entry }) {
  const { id, title, duration } = entry;
  const transcript = useOfflineTranscript(owner, id, entry.transcription);
  const send = useEditSending(owner);
  const [isEditing, setEditing] = useState(false);
  const { shown, edit } = transcript;
  if (isEditing) {
    return (
      <OfflineTranscriptEditor
        of={{ owner, entryId: id, title }}
        duration={duration ?? 0}
        transcript={transcript}
        onDone={() => setEditing(false)}
      />
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {edit?.problem && (
        <Card>
          <UnsentEdit edit={edit} onRetry={send} />
        </Card>
      )}
      <MergeNotice owner={owner} entryId={id} revision={shown.revision} />
      <ReadTranscript words={shown.words} language={shown.language} message={messageOf(shown)}>
        <Button size="sm" variant="ghost" onClick={() => setEditing(true)}>
          Edit
        </Button>
      </ReadTranscript>
      <p role="status" className="text-14 text-ink-2 empty:hidden">
        {edit && !edit.problem && 'Your correction is saved on this device. Waiting to be sent.'}
      </p>
    </div>
  );
}
