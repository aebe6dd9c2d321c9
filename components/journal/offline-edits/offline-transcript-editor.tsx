import { useEffect, useEffectEvent, useState } from 'react';
import { realign } from '@/components/journal/transcript/realign';
import { editableText, parseDraft } from '@/components/journal/transcript/transcript-draft';
import { TranscriptForm } from '@/components/journal/transcript/transcript-form';
import { useDraft } from '@/components/ui/use-draft';
import type { Transcription } from '@/lib/journal/transcripts/contract';
import type { CorrectedTranscript } from './edit';
import { correctTranscript } from './make-edit';
import { type SentChange, subscribeToSentChanges } from './sent-changes';
import { isStored, useEditSending, useEdits } from './use-edits';

/** A transcript as this device shows it. */
export interface OfflineTranscript {
  /** As the server last had it. */
  saved: Transcription;
  /** With the correction that was made here, if there's one. */
  shown: Transcription;
  /** The correction that waits to be sent or decided on; null if there's none. */
  edit: CorrectedTranscript | null;
}

/** Returns an entry's transcript as corrected on this device. @param initial as the server last had it */
export function useOfflineTranscript(
  owner: string,
  entryId: string,
  initial: Transcription,
): OfflineTranscript {
  const [sent, setSent] = useState<Transcription | null>(null);
  const apply = useEffectEvent(({ entryId: changed, transcription }: SentChange) => {
    if (changed === entryId && transcription) setSent(transcription);
  });
  useEffect(() => subscribeToSentChanges((change) => apply(change)), []);
  const saved = sent && (sent.revision ?? 0) > (initial.revision ?? 0) ? sent : initial;
  const edits = useEdits(owner, entryId);
  const edit = edits.find((one) => one.kind === 'corrected-transcript') ?? null;
  return { saved, edit, shown: edit ? { ...saved, words: [...edit.words], status: 'completed' } : saved };
}

/** Edits a transcript as text without a network. Saving stores it on this device until it's sent. */
export function OfflineTranscriptEditor({
  owner,
  entryId,
  title,
  duration,
  transcript: { saved, shown },
  onDone,
}: {
  /** The account. */
  owner: string;
  entryId: string;
  /** The entry's. */
  title: string;
  /** Seconds. */
  duration: number;
  transcript: OfflineTranscript;
  /** Leaves edit mode. */
  onDone: () => void;
}) {
  const [stored, setStored] = useDraft(owner, `transcript:${entryId}`);
  const [saving, setSaving] = useState(false);
  // What's sent meanwhile must not move the words that are being edited.
  const [base] = useState({ saved, shown, text: editableText(shown.words) });
  const send = useEditSending(owner);
  const text = parseDraft(stored)?.text ?? base.text;

  function close() {
    setStored(null);
    onDone();
  }

  async function save() {
    setSaving(true);
    const words = realign(base.shown.words, text, duration);
    const done = await isStored(correctTranscript({ owner, entryId, title }, base.saved, words));
    setSaving(false);
    if (!done) return;
    send();
    close();
  }

  return (
    <TranscriptForm
      original={base.text}
      text={text}
      language={base.shown.language}
      saving={saving}
      onType={(typed) =>
        setStored(typed === base.text ? null : JSON.stringify({ revision: base.saved.revision, text: typed }))
      }
      onSave={() => void save()}
      onCancel={close}
    />
  );
}
