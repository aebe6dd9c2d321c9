import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { NoteForm } from '@/components/journal/notes/note-form';
import { NoteItem } from '@/components/journal/notes/note-item';
import { usePlayback } from '@/components/journal/player/playback';
import { Button } from '@/components/ui/button';
import { useListChanges } from '@/components/ui/use-list-changes';
import type { Note } from '@/lib/journal/notes/contract';
import { addNote, deleteNote, editNote, undoDeleteNote } from './make-edit';
import { type SentChange, subscribeToSentChanges } from './sent-changes';
import { type ShownNote, showNotes } from './show-notes';
import { UnsentEdit } from './unsent-edit';
import { isStored, useEditSending, useEdits } from './use-edits';

/** Returns the notes with what this page has sent since. */
function useSentNotes(entryId: string, initial: readonly Note[]): readonly Note[] {
  const { items, put, remove } = useListChanges(initial);
  const apply = useEffectEvent((change: SentChange) => {
    if (change.entryId !== entryId) return;
    if (change.note) put(change.note);
    if (change.deletedNoteId) remove(change.deletedNoteId);
  });
  useEffect(() => subscribeToSentChanges((change) => apply(change)), []);
  return items;
}

/** Returns an entry's notes as changed on this device, newest first. @param initial as the server last had them */
export function useOfflineNotes(owner: string, entryId: string, initial: readonly Note[]): ShownNote[] {
  return showNotes(useSentNotes(entryId, initial), useEdits(owner, entryId));
}

function Waiting({ children }: { children: ReactNode }) {
  return <p className="mt-2 text-13 text-ink-3">{children}</p>;
}

function DeletedNote({ focused, onUndo }: { focused: boolean; onUndo: () => void }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 rounded-12 bg-sunken py-1 pr-1 pl-4 text-14">
      <p>Note deleted. Waiting to be sent.</p>
      <Button size="sm" variant="ghost" autoFocus={focused} onClick={onUndo}>
        Undo
      </Button>
    </li>
  );
}

/**
 * Shows an entry's notes, newest first, and lets them be added, edited, and deleted without a network. It needs a
 * `PlaybackProvider` above it, but no server.
 */
export function OfflineNotes({
  owner,
  entryId,
  title,
  notes: shown,
}: {
  /** The account. */
  owner: string;
  entryId: string;
  /** The entry's. */
  title: string;
  notes: readonly ShownNote[];
}) {
  const { playFrom } = usePlayback();
  const send = useEditSending(owner);
  const [deletedId, setDeletedId] = useState<string | null>(null);
  const id = useId();
  const of = { owner, entryId, title };

  async function store(work: Promise<void>): Promise<boolean> {
    const done = await isStored(work);
    if (done) send();
    return done;
  }

  async function remove(note: Note) {
    setDeletedId(note.id);
    // Sent with the next edit or visit, so that there's time to undo it.
    await isStored(deleteNote(of, note));
  }

  const row = ({ note, edit }: ShownNote) =>
    edit?.deleted && !edit.problem ? (
      <DeletedNote
        key={note.id}
        focused={deletedId === note.id}
        onUndo={() => void isStored(undoDeleteNote(of, note))}
      />
    ) : (
      <NoteItem
        key={note.id}
        owner={owner}
        note={note}
        onPlay={playFrom}
        onSave={(text) => store(editNote(of, note, text))}
        onDelete={() => void remove(note)}
      >
        {edit && !edit.problem && <Waiting>Waiting to be sent</Waiting>}
        {edit?.problem && (
          <div className="mt-4 border-t border-line pt-4">
            <UnsentEdit edit={edit} onRetry={send} />
          </div>
        )}
      </NoteItem>
    );

  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="sr-only">
        Notes
      </h2>
      <NoteForm owner={owner} entryId={entryId} onPost={(text, moment) => store(addNote(of, text, moment))} />
      <p role="status" className="sr-only">
        {shown.some(({ edit }) => edit && !edit.problem) && 'Saved on this device. Waiting to be sent.'}
      </p>
      {shown.length > 0 && <ul className="flex flex-col gap-3">{shown.map(row)}</ul>}
    </section>
  );
}
