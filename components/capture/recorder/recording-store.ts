import type { DBSchema, IDBPDatabase } from 'idb';
import { defineDatabase } from '@/components/device/database';
import { decrementStoredCount, detectEviction, setStoredCount } from '@/components/device/eviction-detection';
import { waitForLock } from '@/components/ui/web-locks';
import { RECORDING_NAME } from '@/lib/video/shared/recording-name';
import { deleteWords } from './captions/words-store';
import { mayHaveRecordings, setHasRecordings } from './has-recordings';
import type { Mark } from './recorder-state';

/** Joins a recording's slices into a file with a matching name and type. */
export function recordingFile(slices: Blob[], recordedAs: string): File {
  const container = recordedAs.startsWith('video/mp4') ? 'mp4' : 'webm';
  return new File(slices, `${RECORDING_NAME}.${container}`, { type: `video/${container}` });
}

/** The owner of recordings that somebody makes before they sign up. */
export const VISITOR = 'visitor';

/** What's known of a recording before it starts. */
export interface RecordingAbout {
  /** The account that its local copy belongs to. */
  owner: string;
  /** The question that it answers. */
  question?: string | undefined;
}

interface StoredRecording extends RecordingAbout {
  id: string;
  recordedAs: string;
  startedAt: number;
  /** Milliseconds up to the last slice; missing in copies from earlier versions. */
  length?: number;
  /** Missing where nothing was marked. */
  marks?: readonly Mark[];
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

export type LocalCopy = Awaited<ReturnType<typeof createLocalCopy>>;

/**
 * Creates a local copy, which lets a recording survive a crash or a reload.
 * @param recordedAs the recorder's media type
 * @throws DOMException if this browser can't store it (private window, full disk)
 */
export async function createLocalCopy(known: RecordingAbout, recordedAs: string) {
  const db = await openDatabase();
  const id = crypto.randomUUID();
  const about: StoredRecording = { ...known, id, recordedAs, startedAt: Date.now() };
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
    /**
     * Writes the next slice. Once it resolves, the slice survives a browser crash.
     * @param length the recording's length including this slice, in milliseconds
     * @throws DOMException `QuotaExceededError` if the device is full
     */
    async write(slice: Blob, length: number): Promise<void> {
      const transaction = db.transaction(['recordings', 'slices'], 'readwrite', { durability: 'strict' });
      const recordings = transaction.objectStore('recordings');
      // With what was marked meanwhile.
      const stored = await recordings.get(id);
      await Promise.all([
        transaction.objectStore('slices').put(slice, [id, index++]),
        recordings.put({ ...about, ...stored, length }),
        transaction.done,
      ]);
    },
    /** Lets other tabs recover the copy. */
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

/** Changes what's stored of a recording, if it's there. */
async function changeRecording(
  id: string,
  change: (about: StoredRecording) => StoredRecording,
): Promise<void> {
  const db = await openDatabase();
  const transaction = db.transaction('recordings', 'readwrite');
  const about = await transaction.store.get(id);
  if (about) await transaction.store.put(change(about));
  await transaction.done;
  await updateStoredCount(db);
}

/**
 * Gives a recording that was made before signing up to an account.
 * @param id of its local copy, which only the page that it was made in knows
 */
export async function adoptRecording(id: string, owner: string): Promise<void> {
  await changeRecording(id, (about) => (about.owner === VISITOR ? { ...about, owner } : about));
  setHasRecordings(true);
  changes.dispatchEvent(new Event('change'));
}

/** Saves what belongs to a recording. Ignores a browser that can't store it: then it's there until the page closes. */
export async function saveDetails(
  id: string,
  details: Pick<StoredRecording, 'question'> | Required<Pick<StoredRecording, 'marks'>>,
): Promise<void> {
  await changeRecording(id, (about) => ({ ...about, ...details })).catch(() => {});
}

/** Returns what's stored of an owner's recordings. */
export async function listRecordings(owner: string): Promise<StoredRecording[]> {
  const all = await (await openDatabase()).getAll('recordings');
  return all.filter((one) => one.owner === owner);
}

/** Deletes an owner's recordings that were started before a time, in milliseconds since 1970. */
export async function deleteOldRecordings(owner: string, before: number): Promise<void> {
  for (const { id, startedAt } of await listRecordings(owner))
    if (startedAt < before) await deleteLocalCopy(id);
}

/** Marks a local copy as discarded, or as not discarded. Ignores a browser that can't store it. */
export async function setDiscarded(id: string, discardedAt: number | undefined): Promise<void> {
  try {
    await openDatabase();
    if (discardedAt !== undefined) decrementStoredCount('recordings');
    await changeRecording(id, ({ discardedAt: _, ...rest }) =>
      discardedAt === undefined ? rest : { ...rest, discardedAt },
    );
  } catch {
    // It stays on offer, as it was.
  }
  changes.dispatchEvent(new Event('change'));
}

/** Returns the owner's recordings that aren't uploaded or discarded, also those that a page is using. */
export async function listRecordingSizes(
  owner: string,
): Promise<{ id: string; file: File; bytes: number }[]> {
  if (!mayHaveRecordings()) return [];
  const db = await openDatabase();
  const mine = (await listRecordings(owner)).filter(({ discardedAt }) => !discardedAt);
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
