import { type ReactNode, useId, useState } from 'react';
import { editableText } from '@/components/journal/transcript/transcript-draft';
import { Button } from '@/components/ui/button';
import { showProblem } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import type { Word } from '@/lib/journal/transcripts/contract';
import type { ChangedNote, Edit } from './edit';
import { dropEdit, keepEdit } from './resolve-edit';
import { TranscriptConflict } from './transcript-conflict';
import { isStored } from './use-edits';

const textOf = (edit: Edit): string =>
  edit.kind === 'corrected-transcript' ? editableText(edit.words) : edit.text;

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success('Copied.');
  } catch {
    showProblem('Your browser didn’t let us copy. Select the text and copy it.');
  }
}

function Text({ children }: { children: string }) {
  return (
    <p className="max-h-72 overflow-y-auto font-serif text-16 leading-7 break-words whitespace-pre-wrap">
      {children}
    </p>
  );
}

function Version({ name, text, action }: { name: string; text: string | null; action: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-12 border border-line p-4">
      <h4 className="text-13 font-semibold text-ink-3">{name}</h4>
      {text === null ? <p className="text-15 text-ink-2">Deleted</p> : <Text>{text}</Text>}
      <div className="mt-auto">{action}</div>
    </div>
  );
}

interface Choices {
  busy: boolean;
  /** @param words what to save of a transcript */
  onKeep: (words?: readonly Word[]) => void;
  onDrop: () => void;
}

/** Both versions of a note side by side. @param theirs null if it's deleted in the journal */
function NoteVersions({
  edit,
  theirs,
  busy,
  onKeep,
  onDrop,
}: Choices & { edit: ChangedNote; theirs: string | null }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Version
        name="On this device"
        text={edit.deleted ? null : edit.text}
        action={
          <Button size="sm" variant="secondary" busy={busy} onClick={() => onKeep()}>
            Keep mine
          </Button>
        }
      />
      <Version
        name="In your journal"
        text={theirs}
        action={
          <Button size="sm" variant="secondary" busy={busy} onClick={onDrop}>
            Keep the journal’s
          </Button>
        }
      />
    </div>
  );
}

/** What can't be sent as it is: the text, to copy before it's discarded. */
function Unsent({ edit, busy, onKeep, onDrop }: Choices & { edit: Edit }) {
  const text = textOf(edit);
  return (
    <>
      <div className="rounded-12 border border-line p-4">
        <Text>{text}</Text>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="secondary" onClick={() => void copy(text)}>
          Copy text
        </Button>
        <Button size="sm" variant="secondary" busy={busy} onClick={() => onKeep()}>
          Try again
        </Button>
        <Button size="sm" variant="danger" busy={busy} onClick={onDrop}>
          Discard change
        </Button>
      </div>
    </>
  );
}

function explain({ problem, kind }: Edit): string {
  const what = kind === 'corrected-transcript' ? 'transcript' : 'note';
  switch (problem?.kind) {
    case 'note-gone':
      return 'You changed this note on this device, and it was deleted in your journal.';
    case 'entry-gone':
      return `This ${what} can’t be saved, because its entry was deleted or is in the trash. Restore the entry and try again, or copy your text.`;
    case 'refused':
      return `We couldn’t save this ${what}. ${problem.message}`;
    case 'transcript-changed':
      return 'The same words were changed on this device and in your journal. Choose a version for each place. Other changes from both are kept.';
    default:
      return `This ${what} was changed on this device and in your journal.`;
  }
}

/**
 * Asks what to do with an edit that can't be sent without a decision, with both versions side by side. Nothing is chosen
 * until a button is pressed.
 * @param onDecided called when it's decided and can be sent
 */
export function EditConflict({ edit, onDecided }: { edit: Edit; onDecided: () => void }) {
  const [busy, setBusy] = useState(false);
  const id = useId();
  const { problem, title } = edit;
  async function decide(work: Promise<void>) {
    setBusy(true);
    const done = await isStored(work);
    setBusy(false);
    if (done) onDecided();
  }
  const choices: Choices = {
    busy,
    onKeep: (words) => void decide(keepEdit(edit, words)),
    onDrop: () => void decide(dropEdit(edit)),
  };
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="text-15 font-semibold">
        {edit.kind === 'corrected-transcript' ? 'Transcript of' : 'Note on'} “{title}”
      </h3>
      <p className="text-15 text-ink-2">{explain(edit)}</p>
      {edit.kind === 'changed-note' && problem?.kind === 'note-changed' ? (
        <NoteVersions edit={edit} theirs={problem.text} {...choices} />
      ) : edit.kind === 'changed-note' && problem?.kind === 'note-gone' ? (
        <NoteVersions edit={edit} theirs={null} {...choices} />
      ) : edit.kind === 'corrected-transcript' && problem?.kind === 'transcript-changed' ? (
        <TranscriptConflict edit={edit} theirs={problem.words} {...choices} />
      ) : (
        <Unsent edit={edit} {...choices} />
      )}
    </section>
  );
}
