'use client';

import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Note } from '@/lib/journal/notes/contract';

/** A note about a moment in the video. */
export interface MomentNote extends Pick<Note, 'id' | 'text'> {
  /** Seconds. */
  moment: number;
  /** Its place among the notes about moments, from the start of the video. Counts from 1. */
  number: number;
}

/** Returns the notes that are about a moment, in the video's order. */
export function momentNotes(notes: readonly Note[]): MomentNote[] {
  return notes
    .flatMap(({ id, text, moment }) => (moment === null ? [] : [{ id, text, moment }]))
    .sort((one, other) => one.moment - other.moment)
    .map((note, index) => ({ ...note, number: index + 1 }));
}

const NONE: readonly MomentNote[] = [];

const MomentNotesContext = createContext(NONE);

/** Shows notes about moments in the player and in the transcript below it. */
export function MomentNotesProvider({ notes, children }: { notes: readonly Note[]; children: ReactNode }) {
  const moments = useMemo(() => momentNotes(notes), [notes]);
  return <MomentNotesContext value={moments}>{children}</MomentNotesContext>;
}

/** Returns the notes about moments, in the video's order; none without a provider. */
export const useMomentNotes = (): readonly MomentNote[] => useContext(MomentNotesContext);

/** Returns the id of a note's element in the list of notes. */
export const noteElementId = (id: string): string => `note-${id}`;
