import type { DBSchema } from 'idb';
import { defineDatabase } from '@/components/device/database';
import type { DraftTranscript } from '@/lib/video/speech/draft';

/** What was heard in a recording that's saved on this device. */
export interface StoredWords {
  draft: DraftTranscript;
  /** Whether the recording has ended, and these are all of its words. */
  complete: boolean;
  /** The second of the recording before which everything was recognized. */
  until: number;
}

/** Keyed by the id of the recording's local copy. */
interface Schema extends DBSchema {
  words: { key: string; value: Omit<StoredWords, 'until'> };
  /** Apart from the words, because it changes far more often. */
  until: { key: string; value: number };
}

/** As much as a crash may cut off a recording's local copy, in seconds. */
const CRASH_SECONDS = 2;

/** A database of its own, so that nothing here can get in the way of saving a recording. */
const openDatabase = defineDatabase<Schema>('daylight-words', 1, (db) => {
  db.createObjectStore('words');
  db.createObjectStore('until');
});

const writeBoth = async () => (await openDatabase()).transaction(['words', 'until'], 'readwrite');

/** Recordings that were deleted in this page, whose last words may still be on their way. */
const deletedIds = new Set<string>();

/**
 * Saves what was heard of a recording up to a second. Ignores a browser that can't store it, and a recording that's been
 * deleted.
 * @param heard the words; without a draft, nothing is left of them. Missing if there are no new ones.
 */
export async function saveWords(
  recordingId: string,
  until: number,
  heard?: { draft: DraftTranscript | null; complete: boolean },
): Promise<void> {
  try {
    const transaction = await writeBoth();
    if (deletedIds.has(recordingId)) return;
    const words = transaction.objectStore('words');
    await Promise.all([
      heard?.draft && words.put({ draft: heard.draft, complete: heard.complete }, recordingId),
      heard?.draft === null && words.delete(recordingId),
      transaction.objectStore('until').put(until, recordingId),
      transaction.done,
    ]);
  } catch {
    // After a reload, the recording has no words until it's uploaded, or fewer.
  }
}

/** Returns what was heard in a recording, or null. */
export async function readWords(recordingId: string): Promise<StoredWords | null> {
  try {
    const transaction = (await openDatabase()).transaction(['words', 'until']);
    const [words, until] = await Promise.all([
      transaction.objectStore('words').get(recordingId),
      transaction.objectStore('until').get(recordingId),
    ]);
    return words && until !== undefined ? { ...words, until } : null;
  } catch {
    return null;
  }
}

/**
 * Returns whether words are those of a whole local copy, and not of a part that was recognized before a crash, or of
 * more than could be saved.
 * @param length of the local copy, in milliseconds; null if unknown
 */
export const areWhole = ({ until }: StoredWords, length: number | null): boolean =>
  length !== null && Math.abs(until - length / 1000) <= CRASH_SECONDS;

/**
 * Returns what was heard in a local copy if that's all of it, or null. The rest isn't worth sending: it would be shown as
 * the whole transcript, and whoever corrects a word of it would keep the server's words from ever replacing it.
 * @param length of the local copy, in milliseconds; null if unknown
 */
export async function readWholeDraft(
  recordingId: string,
  length: number | null,
): Promise<DraftTranscript | null> {
  const words = await readWords(recordingId);
  return words && areWhole(words, length) ? words.draft : null;
}

/** Deletes what was heard in a recording, along with its local copy. */
export async function deleteWords(recordingId: string): Promise<void> {
  deletedIds.add(recordingId);
  const transaction = await writeBoth();
  await Promise.all([
    transaction.objectStore('words').delete(recordingId),
    transaction.objectStore('until').delete(recordingId),
    transaction.done,
  ]);
}
