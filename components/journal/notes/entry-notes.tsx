'use client';

import { useId, useRef } from 'react';
import { usePlayback } from '@/components/journal/player/playback';
import { Button } from '@/components/ui/button';
import { NoteForm } from './note-form';
import { NoteItem } from './note-item';
import { useEntryNotes } from './notes-provider';

/** Shows a form for a new note and the entry's notes, newest first. Needs a `NotesProvider` above it. */
export function EntryNotes({
  owner,
  entryId,
}: {
  /** The account. */
  owner: string;
  entryId: string;
}) {
  const { playFrom } = usePlayback();
  const { notes, deleted, post, edit, remove, undo } = useEntryNotes();
  const undoButton = useRef<HTMLButtonElement>(null);
  const id = useId();

  return (
    <section id="notes" aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="sr-only">
        Notes
      </h2>
      <NoteForm owner={owner} entryId={entryId} onPost={post} />
      <div role="status">
        {deleted && (
          <p className="flex items-center justify-between gap-3 rounded-12 bg-sunken py-1 pr-1 pl-4 text-14">
            Note deleted.
            <Button ref={undoButton} size="sm" variant="ghost" onClick={undo}>
              Undo
            </Button>
          </p>
        )}
      </div>
      {notes.length > 0 && (
        <ul className="flex flex-col gap-3 empty:hidden">
          {notes
            .filter((note) => note.id !== deleted?.id)
            .map((note) => (
              <NoteItem
                key={note.id}
                owner={owner}
                note={note}
                onPlay={playFrom}
                onSave={(changed) => edit(note, changed)}
                onDelete={() => {
                  remove(note);
                  // The focused button disappears with the note.
                  requestAnimationFrame(() => undoButton.current?.focus());
                }}
              />
            ))}
        </ul>
      )}
    </section>
  );
}
