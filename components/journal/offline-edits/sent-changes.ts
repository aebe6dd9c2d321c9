import type { Note } from '@/lib/journal/notes/contract';
import type { Transcription } from '@/lib/journal/transcripts/contract';

/** A change of an entry that the server has just saved. */
export interface SentChange {
  /** The account's id. */
  owner: string;
  entryId: string;
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
