import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { waitForLock } from '@/components/uploads/queue/upload-store';
import type { RecoveredRecording } from './recorder-state';

/** One file of a recording's slices, with the name and type that say what was recorded. */
export function recordingFile(slices: Blob[], recordedAs: string): File {
  const mp4 = recordedAs.startsWith('video/mp4');
  return new File(slices, mp4 ? 'browser_uploaded.mp4' : 'browser_uploaded.webm', {
    type: mp4 ? 'video/mp4' : 'video/webm',
  });
}

interface StoredRecording {
  id: string;
  owner: string;
  recordedAs: string;
  startedAt: number;
  /** Milliseconds up to the last slice; copies of earlier versions do not have it. */
  length?: number;
}

interface Schema extends DBSchema {
  recordings: { key: string; value: StoredRecording };
  /** Keys are the recording and the number of the slice, so that a range in key order is the file. */
  slices: { key: [recording: string, index: number]; value: Blob };
}

let databasePromise: Promise<IDBPDatabase<Schema>> | undefined;

function openDatabase(): Promise<IDBPDatabase<Schema>> {
  databasePromise ??= openDB<Schema>('daylight', 1, {
    upgrade(db) {
      db.createObjectStore('recordings', { keyPath: 'id' });
      db.createObjectStore('slices');
    },
  });
  return databasePromise;
}

const sliceRange = (id: string) => IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY]);
const lockName = (id: string) => `daylight-recording-${id}`;

export interface LocalCopy {
  id: string;
  /**
   * Writes the next slice; when it resolves, the slice outlives a crash of the browser.
   * @param length what has been recorded up to its end, in milliseconds
   * @throws DOMException `QuotaExceededError` when the device is full
   */
  write(slice: Blob, length: number): Promise<void>;
  /** Lets other tabs see the copy as one to recover. */
  release(): void;
}

/**
 * Begins the copy on this device that lets a recording survive a crash or a reload.
 * @param owner the account, so that nobody else at this device is offered it
 * @param recordedAs the recorder's media type
 * @throws DOMException when this browser keeps nothing (private window, full disk)
 */
export async function createLocalCopy(owner: string, recordedAs: string): Promise<LocalCopy> {
  const db = await openDatabase();
  const id = crypto.randomUUID();
  const about: StoredRecording = { id, owner, recordedAs, startedAt: Date.now() };
  // Before the record: other tabs delete an empty copy whose lock nobody holds.
  const release = await waitForLock(lockName(id));
  try {
    await db.put('recordings', about);
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

/** What `owner` has on this device: recordings that no page is working on, newest first, and the locks of the others. */
async function listLocalCopies(owner: string): Promise<{ abandoned: RecoveredRecording[]; held: string[] }> {
  const db = await openDatabase();
  const mine = (await db.getAll('recordings')).filter((one) => one.owner === owner);
  // Asked after the copies: whoever has begun one by then held its lock before.
  const locks = new Set((await navigator.locks?.query())?.held?.map((lock) => lock.name));
  const abandoned: RecoveredRecording[] = [];
  const held: string[] = [];
  for (const { id, recordedAs, startedAt, length = null } of mine.sort((a, b) => b.startedAt - a.startedAt)) {
    if (locks.has(lockName(id))) {
      held.push(lockName(id));
      continue;
    }
    const slices = await db.getAll('slices', sliceRange(id));
    if (slices.length > 0) abandoned.push({ id, file: recordingFile(slices, recordedAs), startedAt, length });
    else await deleteLocalCopy(id);
  }
  return { abandoned, held };
}

/**
 * Tells which recordings of `owner` no page is working on, newest first: at once, and again when a page that holds one
 * is gone or this one is looked at again. Copies without a slice are dropped.
 * @returns ends it
 */
export function watchRecoverableRecordings(
  owner: string,
  onRecordings: (recordings: readonly RecoveredRecording[]) => void,
): () => void {
  const over = new AbortController();
  const waitingFor = new Set<string>();
  async function check() {
    const { abandoned, held } = await listLocalCopies(owner);
    if (over.signal.aborted) return;
    onRecordings(abandoned);
    for (const name of held) {
      if (waitingFor.has(name)) continue;
      waitingFor.add(name);
      // Granted when its page lets it go or is gone, however it went.
      navigator.locks
        .request(name, { signal: over.signal }, () => waitingFor.delete(name))
        .then(check)
        .catch(ignore);
    }
  }
  // Without a database there is nothing to recover.
  const ignore = () => {};
  const onLook = () => document.visibilityState === 'visible' && void check().catch(ignore);
  document.addEventListener('visibilitychange', onLook, { signal: over.signal });
  check().catch(ignore);
  return () => over.abort();
}

/** Removes a copy: after the server has the video, or when the person discards it. */
export async function deleteLocalCopy(id: string): Promise<void> {
  const db = await openDatabase();
  const transaction = db.transaction(['recordings', 'slices'], 'readwrite');
  await Promise.all([
    transaction.objectStore('recordings').delete(id),
    transaction.objectStore('slices').delete(sliceRange(id)),
    transaction.done,
  ]);
}
