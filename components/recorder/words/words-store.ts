import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { DraftTranscript } from '@/lib/speech/draft';

/** What was heard in a recording that's saved on this device. */
export interface StoredWords {
  draft: DraftTranscript;
  /** Whether these are all words, or a crash has cut them off. */
  complete: boolean;
}

interface Schema extends DBSchema {
  /** Keyed by the id of the recording's local copy. */
  words: { key: string; value: StoredWords };
}

let databasePromise: Promise<IDBPDatabase<Schema>> | undefined;

/** A database of its own, so that nothing here can get in the way of saving a recording. */
function openDatabase(): Promise<IDBPDatabase<Schema>> {
  databasePromise ??= openDB<Schema>('daylight-words', 1, {
    upgrade(db) {
      db.createObjectStore('words');
    },
  });
  return databasePromise;
}

/** Recordings that were deleted in this page, whose last words may still be on their way. */
const deletedIds = new Set<string>();

/** Saves what was heard so far. Ignores a browser that can't store it, and a recording that's been deleted. */
export async function saveWords(recordingId: string, words: StoredWords): Promise<void> {
  try {
    const db = await openDatabase();
    if (!deletedIds.has(recordingId)) await db.put('words', words, recordingId);
  } catch {
    // After a reload, the recording has no words until it's uploaded.
  }
}

/** Returns what was heard in a recording, or null. */
export async function readWords(recordingId: string): Promise<StoredWords | null> {
  try {
    return (await (await openDatabase()).get('words', recordingId)) ?? null;
  } catch {
    return null;
  }
}

/** Deletes what was heard in a recording, along with its local copy. */
export async function deleteWords(recordingId: string): Promise<void> {
  deletedIds.add(recordingId);
  await (await openDatabase()).delete('words', recordingId);
}
