'use client';

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import { MomentNotesProvider } from '@/components/journal/player/moment-notes';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { useListChanges } from '@/components/ui/use-list-changes';
import { call } from '@/lib/api/shared/client';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { Note } from '@/lib/journal/notes/contract';
import { NoteForm } from './note-form';
import { NoteItem } from './note-item';

/** How long a deletion can be undone. */
const UNDO_MS = 6000;

/**
 * Returns an entry's notes, newest first, with the actions on them. Each action resolves to whether it succeeded;
 * failures show a toast.
 */
function useNotes(entryId: string, initial: readonly Note[]) {
  const { items: notes, ...changes } = useListChanges(initial);
  /** Hidden now, and deleted once it can no longer be undone. */
  const [deleted, setDeleted] = useState<Note | null>(null);
  const pending = useRef<{ note: Note; timer: ReturnType<typeof setTimeout> }>(null);

  async function post(text: string, moment: number | null): Promise<boolean> {
    try {
      changes.put(await call('POST /entry/:id/notes', { params: { id: entryId }, body: { text, moment } }));
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  }

  /** Saves a note's text. If the note was changed or deleted elsewhere, the text becomes a note of its own. */
  async function edit({ id: noteId, text: before, moment }: Note, text: string): Promise<boolean> {
    const params = { id: entryId };
    try {
      changes.put(
        await call('POST /entry/:id/notes/:noteId', {
          params: { ...params, noteId },
          body: { text, before },
        }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || ![404, 409].includes(error.status)) {
        showError(error);
        return false;
      }
    }
    if (!(await post(text, moment))) return false;
    const entry = await call('GET /entry/:id', { params }).catch(logRejected);
    const other = entry?.notes.find(({ id }) => id === noteId);
    if (other) changes.put(other);
    else if (entry) changes.remove(noteId);
    return true;
  }

  function commitDelete() {
    const waiting = pending.current;
    if (!waiting) return;
    clearTimeout(waiting.timer);
    pending.current = null;
    setDeleted(null);
    const noteId = waiting.note.id;
    call('DELETE /entry/:id/notes/:noteId', { params: { id: entryId, noteId }, keepalive: true }).then(
      () => changes.remove(noteId),
      showError,
    );
  }

  // Leaving the page gives up the undo.
  const onLeave = useEffectEvent(commitDelete);
  useEffect(() => {
    window.addEventListener('pagehide', onLeave);
    return () => {
      window.removeEventListener('pagehide', onLeave);
      onLeave();
    };
  }, []);

  function remove(note: Note) {
    commitDelete();
    pending.current = { note, timer: setTimeout(commitDelete, UNDO_MS) };
    setDeleted(note);
  }

  function undo() {
    clearTimeout(pending.current?.timer);
    pending.current = null;
    setDeleted(null);
  }

  return { notes, deleted, post, edit, remove, undo };
}

const NotesContext = createContext<ReturnType<typeof useNotes> | null>(null);

/** Shares an entry's notes with the list that changes them, the time bar, and the transcript. */
export function NotesProvider({
  entryId,
  notes: initial,
  children,
}: {
  entryId: string;
  notes: readonly Note[];
  children: ReactNode;
}) {
  const state = useNotes(entryId, initial);
  const { notes, deleted } = state;
  /** Without the one that's being deleted. */
  const shown = useMemo(() => notes.filter((note) => note.id !== deleted?.id), [notes, deleted]);
  return (
    <NotesContext value={{ ...state, notes: shown }}>
      <MomentNotesProvider notes={shown}>{children}</MomentNotesProvider>
    </NotesContext>
  );
}

/** Shows a form for a new note and the entry's notes, newest first. Needs a `NotesProvider` above it. */
export function EntryNotes({ owner, entryId }: OwnedEntry) {
  const state = useContext(NotesContext);
  if (!state) throw new Error('EntryNotes needs a NotesProvider above it');
  const { notes, deleted, post, edit, remove, undo } = state;
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
        <ul className="flex flex-col gap-3">
          {notes.map((note) => (
            <NoteItem
              key={note.id}
              owner={owner}
              note={note}
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
