import { useState } from 'react';
import {
  OfflineTranscriptEditor,
  useOfflineTranscript,
} from '@/components/journal/offline-edits/offline-transcript-editor';
import { UnsentEdit } from '@/components/journal/offline-edits/unsent-edit';
import { useEditSending } from '@/components/journal/offline-edits/use-edits';
import { MergeNotice } from '@/components/journal/transcript/merge-notice';
import { ReadTranscript } from '@/components/journal/transcript/read-transcript';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import type { Entry } from '@/lib/journal/entries/contract';
import type { Transcription } from '@/lib/journal/transcripts/contract';

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
        owner={owner}
        entryId={id}
        title={title}
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
