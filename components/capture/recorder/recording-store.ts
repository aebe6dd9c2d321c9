import type { DBSchema, IDBPDatabase } from 'idb';
import { defineDatabase } from '@/components/device/database';
import { decrementStoredCount, detectEviction, setStoredCount } from '@/components/device/eviction-detection';
import { waitForLock } from '@/components/ui/web-locks';
import { deleteWords } from './captions/words-store';
import { mayHaveRecordings, setHasRecordings } from './has-recordings';

/** Joins a recording's slices into a file with a matching name and type. */
export function recordingFile(slices: Blob[], recordedAs: string): File {
  const mp4 = recordedAs.startsWith('video/mp4');
  return new File(slices, mp4 ? 'browser_uploaded.mp4' : 'browser_uploaded.webm', {
    type: mp4 ? 'video/mp4' : 'video/webm',
  });
}

/** The owner of recordings that somebody makes before they sign up. */
export const VISITOR = 'visitor';

interface StoredRecording {
  id: string;
  owner: string;
  recordedAs: string;
  startedAt: number;
  /** Milliseconds up to the last slice; missing in copies from earlier versions. */
  length?: number;
  /** When it was discarded, in milliseconds since 1970, if that can still be undone. */
  discardedAt?: number;
}

interface Schema extends DBSchema {
  recordings: { key: string; value: StoredRecording };
  /** Keyed by recording and slice number, so that a range in key order is the file. */
  slices: { key: [recording: string, index: number]; value: Blob };
}

/** Counts the recordings that somebody would miss: neither a visitor's, which end by themselves, nor discarded ones. */
async function countRecoverable(db: IDBPDatabase<Schema>): Promise<number> {
  const all = await db.getAll('recordings');
  return all.filter(({ owner, discardedAt }) => owner !== VISITOR && !discardedAt).length;
}

const updateStoredCount = async (db: IDBPDatabase<Schema>): Promise<void> =>
  setStoredCount('recordings', await countRecoverable(db));

/** Opens the database of recordings. @throws DOMException if this browser stores nothing */
export const openDatabase = defineDatabase<Schema>(
  'daylight',
  1,
  (db) => {
    db.createObjectStore('recordings', { keyPath: 'id' });
    db.createObjectStore('slices');
  },
  async (db) => {
    detectEviction('recordings', await countRecoverable(db));
  },
);

/** Tells this page's watchers that a recording was discarded or restored. */
export const changes = new EventTarget();

/** Returns the keys of a recording's slices. */
export const sliceRange = (id: string) => IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY]);
/** Returns the name of the Web Lock of the page that uses a recording. */
export const lockName = (id: string) => `daylight-recording-${id}`;

export interface LocalCopy {
  id: string;
  /**
   * Writes the next slice. Once it resolves, the slice survives a browser crash.
   * @param length the recording's length including this slice, in milliseconds
   * @throws DOMException `QuotaExceededError` if the device is full
   */
  write(slice: Blob, length: number): Promise<void>;
  /** Lets other tabs recover the copy. */
  release(): void;
}

/**
 * Creates a local copy, which lets a recording survive a crash or a reload.
 * @param owner the account, so that it isn't offered to anyone else on this device
 * @param recordedAs the recorder's media type
 * @throws DOMException if this browser can't store it (private window, full disk)
 */
export async function createLocalCopy(owner: string, recordedAs: string): Promise<LocalCopy> {
  const db = await openDatabase();
  const id = crypto.randomUUID();
  const about: StoredRecording = { id, owner, recordedAs, startedAt: Date.now() };
  // Take the lock before adding the record, because other tabs delete an empty copy that nobody has locked.
  const release = await waitForLock(lockName(id));
  try {
    await db.put('recordings', about);
    setHasRecordings(true);
    await updateStoredCount(db);
  } catch (error) {
    release();
    throw error;
  }
  let index = 0;
  return {
    id,
    async write(slice, length) {
      const transaction = db.transaction(['recordings', 'slices'], 'readwrite', { durability: 'strict' });
      await Promise.all([
        transaction.objectStore('slices').put(slice, [id, index++]),
        transaction.objectStore('recordings').put({ ...about, length }),
        transaction.done,
      ]);
    },
    release,
  };
}

/** Returns the file and the length, in milliseconds, of a local copy; null if it's gone. */
export async function readLocalCopy(id: string): Promise<{ file: File; length: number | null } | null> {
  const db = await openDatabase();
  const [about, slices] = await Promise.all([db.get('recordings', id), db.getAll('slices', sliceRange(id))]);
  if (!about || slices.length === 0) return null;
  return { file: recordingFile(slices, about.recordedAs), length: about.length ?? null };
}

/**
 * Gives a recording that was made before signing up to an account.
 * @param id of its local copy, which only the page that it was made in knows
 */
export async function adoptRecording(id: string, owner: string): Promise<void> {
  const db = await openDatabase();
  const transaction = db.transaction('recordings', 'readwrite');
  const about = await transaction.store.get(id);
  if (about?.owner === VISITOR) await transaction.store.put({ ...about, owner });
  await transaction.done;
  await updateStoredCount(db);
  setHasRecordings(true);
  changes.dispatchEvent(new Event('change'));
}

/** Deletes an owner's recordings that were started before a time, in milliseconds since 1970. */
export async function deleteOldRecordings(owner: string, before: number): Promise<void> {
  const all = await (await openDatabase()).getAll('recordings');
  for (const { id, owner: of, startedAt } of all)
    if (of === owner && startedAt < before) await deleteLocalCopy(id);
}

/** Marks a local copy as discarded, or as not discarded. Ignores a browser that can't store it. */
export async function setDiscarded(id: string, discardedAt: number | undefined): Promise<void> {
  try {
    const db = await openDatabase();
    if (discardedAt !== undefined) decrementStoredCount('recordings');
    const transaction = db.transaction('recordings', 'readwrite');
    const about = await transaction.store.get(id);
    if (about) {
      const { discardedAt: _, ...rest } = about;
      await transaction.store.put(discardedAt === undefined ? rest : { ...rest, discardedAt });
    }
    await transaction.done;
    await updateStoredCount(db);
  } catch {
    // It stays on offer, as it was.
  }
  changes.dispatchEvent(new Event('change'));
}

/** Returns the owner's recordings that were discarded before a time, with the name and type of their files. */
export async function listDiscarded(
  owner: string,
  before: number,
): Promise<{ id: string; file: { name: string; type: string } }[]> {
  const all = await (await openDatabase()).getAll('recordings');
  return all
    .filter((one) => one.owner === owner && one.discardedAt !== undefined && one.discardedAt < before)
    .map(({ id, recordedAs }) => ({ id, file: recordingFile([], recordedAs) }));
}

/** A recording that isn't uploaded yet, for a list. */
export interface RecordingSize {
  id: string;
  /** The name and type of its file. */
  file: { name: string; type: string };
  bytes: number;
}

/** Returns the owner's recordings that aren't uploaded or discarded, also those that a page is using. */
export async function listRecordingSizes(owner: string): Promise<RecordingSize[]> {
  if (!mayHaveRecordings()) return [];
  const db = await openDatabase();
  const mine = (await db.getAll('recordings')).filter((one) => one.owner === owner && !one.discardedAt);
  return Promise.all(
    mine.map(async ({ id, recordedAs }) => {
      const file = recordingFile(await db.getAll('slices', sliceRange(id)), recordedAs);
      return { id, file, bytes: file.size };
    }),
  );
}

/** Deletes a local copy and its words, once the server has the video or the user discards it. */
export async function deleteLocalCopy(id: string): Promise<void> {
  // What was said goes first. If that fails, the rest still goes.
  await deleteWords(id).catch(() => {});
  const db = await openDatabase();
  decrementStoredCount('recordings');
  const transaction = db.transaction(['recordings', 'slices'], 'readwrite');
  await Promise.all([
    transaction.objectStore('recordings').delete(id),
    transaction.objectStore('slices').delete(sliceRange(id)),
    transaction.done,
  ]);
  await updateStoredCount(db);
}
