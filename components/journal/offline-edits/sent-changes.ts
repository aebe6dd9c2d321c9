import { useEffect, useEffectEvent } from 'react';
import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import type { Note } from '@/lib/journal/notes/contract';
import type { Transcription } from '@/lib/journal/transcripts/contract';

/** A change of an entry that the server has just saved. */
export interface SentChange extends OwnedEntry {
  /** A note that's new or changed. */
  note?: Note;
  deletedNoteId?: string;
  transcription?: Transcription;
}

type Listener = (change: SentChange) => void | Promise<void>;

const listeners = new Set<Listener>();

/**
 * Calls a listener with every change that this page has sent, before the edit is deleted, so that what's shown or saved of
 * the entry has it by then. @returns a function that stops it
 */
export function subscribeToSentChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells the listeners. Never rejects. */
export async function publishSent(change: SentChange): Promise<void> {
  await Promise.allSettled([...listeners].map(async (listener) => listener(change)));
}

/** Calls back with what this page has sent of an entry. */
export function useSentChanges(entryId: string, onChange: (change: SentChange) => void): void {
  const apply = useEffectEvent((change: SentChange) => {
    if (change.entryId === entryId) onChange(change);
  });
  useEffect(() => subscribeToSentChanges((change) => apply(change)), []);
}
