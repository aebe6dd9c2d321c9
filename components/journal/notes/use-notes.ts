import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { showError } from '@/components/ui/show-error';
import { useListChanges } from '@/components/ui/use-list-changes';
import { call } from '@/lib/api/shared/client';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { Note } from '@/lib/journal/notes/contract';

/** How long a deletion can be undone. */
const UNDO_MS = 6000;

/**
 * Returns an entry's notes, newest first, with the actions on them. Each action resolves to whether it succeeded;
 * failures show a toast.
 */
export function useNotes(entryId: string, initial: readonly Note[]) {
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
    const leave = () => onLeave();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
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
