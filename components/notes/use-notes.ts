import { useEffect, useRef, useState } from 'react';
import { showError } from '@/components/ui/show-error';
import { api } from '@/lib/contract/client';
import type { Note } from '@/lib/notes/contract';

/** How long a deletion can be undone. */
const UNDO_MS = 6000;

/** The notes on an entry, newest first. Each action resolves to whether it succeeded; a failure is told in a toast. */
export function useNotes(entryId: string, initial: readonly Note[]) {
  const [notes, setNotes] = useState(initial);
  /** Hidden, and deleted as soon as it can no longer be undone. */
  const [deleted, setDeleted] = useState<Note | null>(null);
  const pending = useRef<{ note: Note; timer: ReturnType<typeof setTimeout> }>(null);
  const path = `/entry/${entryId}/notes`;

  async function post(text: string, moment: number | null): Promise<boolean> {
    try {
      const note = await api<Note>('POST', path, { body: { text, moment } });
      setNotes((before) => [note, ...before]);
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  }

  async function edit(id: string, text: string): Promise<boolean> {
    try {
      const note = await api<Note>('POST', `${path}/${id}`, { body: { text } });
      setNotes((before) => before.map((one) => (one.id === id ? note : one)));
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  }

  const commitDelete = useRef(() => {});
  commitDelete.current = () => {
    const waiting = pending.current;
    if (!waiting) return;
    clearTimeout(waiting.timer);
    pending.current = null;
    setDeleted(null);
    api('DELETE', `${path}/${waiting.note.id}`, { keepalive: true }).then(
      () => setNotes((before) => before.filter((one) => one.id !== waiting.note.id)),
      showError,
    );
  };

  useEffect(() => {
    // Whoever leaves has made up their mind.
    const leave = () => commitDelete.current();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);

  function remove(note: Note) {
    commitDelete.current();
    pending.current = { note, timer: setTimeout(() => commitDelete.current(), UNDO_MS) };
    setDeleted(note);
  }

  function undo() {
    clearTimeout(pending.current?.timer);
    pending.current = null;
    setDeleted(null);
  }

  return { notes, deleted, post, edit, remove, undo };
}
