'use client';

import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { MomentNotesProvider } from '@/components/journal/player/moment-notes';
import type { Note } from '@/lib/journal/notes/contract';
import { useNotes } from './use-notes';

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
  const shown = useMemo(() => notes.filter((note) => note.id !== deleted?.id), [notes, deleted]);
  return (
    <NotesContext value={state}>
      <MomentNotesProvider notes={shown}>{children}</MomentNotesProvider>
    </NotesContext>
  );
}

export function useEntryNotes(): ReturnType<typeof useNotes> {
  const notes = useContext(NotesContext);
  if (!notes) throw new Error('useEntryNotes needs a NotesProvider above it');
  return notes;
}
