import { useId, useState } from 'react';
import { NoteForm } from '@/components/journal/notes/note-form';
import { NoteItem } from '@/components/journal/notes/note-item';
import { Button } from '@/components/ui/button';
import { useListChanges } from '@/components/ui/use-list-changes';
import type { Note } from '@/lib/journal/notes/contract';
import type { AddedNote, ChangedNote, Edit, EditedEntry } from './edit';
import { addNote, deleteNote, editNote, undoDeleteNote } from './edit-store';
import { useSentChanges } from './sent-changes';
import { UnsentEdit } from './unsent-edit';
import { isStored, useEditSending, useEdits } from './use-edits';

/** A note as this device shows it, with its edit that waits; null if there's none. */
interface ShownNote {
  note: Note;
  edit: AddedNote | ChangedNote | null;
}

function asShownNote(edit: AddedNote | ChangedNote): ShownNote {
  const { target: id, text, moment, madeAt } = edit;
  return { note: { id, text, moment, createdAt: new Date(madeAt).toISOString() }, edit };
}

/** Returns an entry's notes as changed on this device, newest first. Deleted ones stay until that's sent. */
export function showNotes(notes: readonly Note[], edits: readonly Edit[]): ShownNote[] {
  const added: ShownNote[] = [];
  const changed = new Map<string, ChangedNote>();
  for (const edit of edits) {
    if (edit.kind === 'changed-note') changed.set(edit.target, edit);
    if (edit.kind === 'added-note') added.push(asShownNote(edit));
  }
  const known = notes.map((note) => {
    const edit = changed.get(note.id) ?? null;
    changed.delete(note.id);
    return { note: edit ? { ...note, text: edit.text } : note, edit };
  });
  // Of notes that the copy of the entry doesn't have, the edit says enough.
  const others = [...changed.values()].map(asShownNote);
  return [...added.reverse(), ...others.reverse(), ...known];
}

/** Returns the notes with what this page has sent since. */
function useSentNotes(entryId: string, initial: readonly Note[]): readonly Note[] {
  const { items, put, remove } = useListChanges(initial);
  useSentChanges(entryId, ({ note, deletedNoteId }) => {
    if (note) put(note);
    if (deletedNoteId) remove(deletedNoteId);
  });
  return items;
}

/** Returns an entry's notes as changed on this device, newest first. @param initial as the server last had them */
export function useOfflineNotes(owner: string, entryId: string, initial: readonly Note[]): ShownNote[] {
  return showNotes(useSentNotes(entryId, initial), useEdits(owner, entryId));
}

/**
 * Shows an entry's notes, newest first, and lets them be added, edited, and deleted without a network. It needs a
 * `PlaybackProvider` above it, but no server.
 */
export function OfflineNotes({ of, notes: shown }: { of: EditedEntry; notes: readonly ShownNote[] }) {
  const { owner, entryId } = of;
  const send = useEditSending(owner);
  const [deletedId, setDeletedId] = useState<string | null>(null);
  const id = useId();

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
      <li
        key={note.id}
        className="flex flex-wrap items-center justify-between gap-x-3 rounded-12 bg-sunken py-1 pr-1 pl-4 text-14"
      >
        <p>Note deleted. Waiting to be sent.</p>
        <Button
          size="sm"
          variant="ghost"
          autoFocus={deletedId === note.id}
          onClick={() => void isStored(undoDeleteNote(of, note))}
        >
          Undo
        </Button>
      </li>
    ) : (
      <NoteItem
        key={note.id}
        owner={owner}
        note={note}
        onSave={(text) => store(editNote(of, note, text))}
        onDelete={() => void remove(note)}
      >
        {edit && !edit.problem && <p className="mt-2 text-13 text-ink-3">Waiting to be sent</p>}
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
