import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { waitForLock } from '@/components/uploads/queue/upload-store';
import { setHasRecordings } from './has-recordings';
import type { RecoveredRecording } from './recorder-state';
import { deleteWords, readWords } from './words/words-store';

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

/** Tells this page's watchers that a recording was discarded or restored. */
const changes = new EventTarget();

const sliceRange = (id: string) => IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY]);
const lockName = (id: string) => `daylight-recording-${id}`;

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

/** Returns the owner's recordings that no page is using and that aren't discarded, newest first, and the locks of the others. */
async function listLocalCopies(owner: string): Promise<{ abandoned: RecoveredRecording[]; held: string[] }> {
  const db = await openDatabase();
  const all = await db.getAll('recordings');
  setHasRecordings(all.length > 0);
  const mine = all.filter((one) => one.owner === owner && !one.discardedAt);
  // Queried after the copies, since every copy's lock is taken before it's created.
  const locks = new Set((await navigator.locks?.query())?.held?.map((lock) => lock.name));
  const abandoned: RecoveredRecording[] = [];
  const held: string[] = [];
  for (const { id, recordedAs, startedAt, length = null } of mine.sort((a, b) => b.startedAt - a.startedAt)) {
    if (locks.has(lockName(id))) {
      held.push(lockName(id));
      continue;
    }
    const slices = await db.getAll('slices', sliceRange(id));
    if (slices.length === 0) {
      await deleteLocalCopy(id);
      continue;
    }
    const words = await readWords(id);
    abandoned.push({ id, file: recordingFile(slices, recordedAs), startedAt, length, words });
  }
  return { abandoned, held };
}

/**
 * Reports the owner's recordings that no page is using, newest first: now, and whenever a page releases one or this page
 * becomes visible again. Deletes empty copies.
 * @returns a function that stops it
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
      // Granted when its page releases it, closes or crashes.
      navigator.locks
        .request(name, { signal: over.signal }, () => waitingFor.delete(name))
        .then(check)
        .catch(ignore);
    }
  }
  // Without a database, there's nothing to recover.
  const ignore = () => {};
  const checkIfVisible = () => document.visibilityState === 'visible' && void check().catch(ignore);
  document.addEventListener('visibilitychange', checkIfVisible, { signal: over.signal });
  changes.addEventListener('change', () => void check().catch(ignore), { signal: over.signal });
  check().catch(ignore);
  return () => over.abort();
}

/**
 * Gives a recording that was made before signing up to an account.
 * @param id of its local copy, which only the page that it was made in knows
 */
export async function adoptRecording(id: string, owner: string): Promise<void> {
  const transaction = (await openDatabase()).transaction('recordings', 'readwrite');
  const about = await transaction.store.get(id);
  if (about?.owner === VISITOR) await transaction.store.put({ ...about, owner });
  await transaction.done;
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
    const transaction = (await openDatabase()).transaction('recordings', 'readwrite');
    const about = await transaction.store.get(id);
    if (about) {
      const { discardedAt: _, ...rest } = about;
      await transaction.store.put(discardedAt === undefined ? rest : { ...rest, discardedAt });
    }
    await transaction.done;
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

/** Deletes a local copy and its words, once the server has the video or the person discards it. */
export async function deleteLocalCopy(id: string): Promise<void> {
  // What was said goes first. If that fails, the rest still goes.
  await deleteWords(id).catch(() => {});
  const db = await openDatabase();
  const transaction = db.transaction(['recordings', 'slices'], 'readwrite');
  await Promise.all([
    transaction.objectStore('recordings').delete(id),
    transaction.objectStore('slices').delete(sliceRange(id)),
    transaction.done,
  ]);
}
