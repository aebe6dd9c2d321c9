import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { setDeviceSetting } from '@/components/ui/browser-storage';
import { INTERRUPTED_UPLOADS_KEY } from './upload-queue-store';

/** An unfinished upload, as stored on this device. */
export interface StoredUpload {
  /** The client_id of the upload. */
  id: string;
  /** The account, so that no one else on this device sees it. */
  owner: string;
  title: string;
  /** `YYYY-MM-DD` */
  date: string;
  name: string;
  size: number;
  lastModified: number;
  /** Bytes uploaded when it was last saved. */
  sent: number;
}

interface Schema extends DBSchema {
  uploads: { key: string; value: StoredUpload };
  /** The files, if there's space. Kept apart because updating a record rewrites all of it. */
  files: { key: string; value: File };
}

/** Larger files aren't stored; people have to choose them again. In bytes. */
const MAX_STORED_BYTES = 1_000_000_000;

let databasePromise: Promise<IDBPDatabase<Schema>> | undefined;

function openDatabase(): Promise<IDBPDatabase<Schema>> {
  databasePromise ??= openDB<Schema>('daylight-uploads', 1, {
    upgrade(db) {
      db.createObjectStore('uploads', { keyPath: 'id' });
      db.createObjectStore('files');
    },
  });
  return databasePromise;
}

/** Returns whether a file takes at most a third of the available space. */
async function hasSpaceFor(size: number): Promise<boolean> {
  if (size > MAX_STORED_BYTES) return false;
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  return size < (quota - usage) / 3;
}

/** Stores an upload and then its file, which may take a while. Ignores a browser that can't store it. */
export async function storeUpload(upload: StoredUpload, file: File): Promise<void> {
  try {
    const db = await openDatabase();
    await db.put('uploads', upload);
    setDeviceSetting(INTERRUPTED_UPLOADS_KEY, upload.owner);
    if (!(await hasSpaceFor(upload.size))) return;
    const transaction = db.transaction(['uploads', 'files'], 'readwrite');
    // It may have finished meanwhile.
    const wanted = await transaction.objectStore('uploads').get(upload.id);
    if (wanted) await transaction.objectStore('files').put(file, upload.id);
    await transaction.done;
  } catch {
    // The upload continues; after a reload, its file has to be chosen again.
  }
}

/** Saves an upload's progress. */
export async function saveUploadProgress(id: string, sent: number): Promise<void> {
  try {
    const transaction = (await openDatabase()).transaction('uploads', 'readwrite');
    const kept = await transaction.store.get(id);
    if (kept) await transaction.store.put({ ...kept, sent });
    await transaction.done;
  } catch {
    // After a reload, the progress shown would be older.
  }
}

/** Deletes a finished or discarded upload. */
export async function deleteStoredUpload(id: string): Promise<void> {
  try {
    const db = await openDatabase();
    const transaction = db.transaction(['uploads', 'files'], 'readwrite');
    await Promise.all([
      transaction.objectStore('uploads').delete(id),
      transaction.objectStore('files').delete(id),
      transaction.done,
    ]);
    if ((await db.count('uploads')) === 0) setDeviceSetting(INTERRUPTED_UPLOADS_KEY, null);
  } catch {
    // It's resumed once more and found complete.
  }
}

/** Returns the account's unfinished uploads, each with its file if it was stored. */
export async function listStoredUploads(
  owner: string,
): Promise<{ upload: StoredUpload; file: File | null }[]> {
  try {
    const db = await openDatabase();
    const mine = (await db.getAll('uploads')).filter((upload) => upload.owner === owner);
    return await Promise.all(
      mine.map(async (upload) => ({ upload, file: (await db.get('files', upload.id)) ?? null })),
    );
  } catch {
    return [];
  }
}

function requestLock(name: string, options: LockOptions): Promise<(() => void) | null> {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) => {
      if (!lock) return resolve(null);
      return new Promise<void>((release) => resolve(release));
    };
    navigator.locks.request(name, options, hold).catch(reject);
  });
}

/**
 * Takes a Web Lock for as long as this page lives, which tells other tabs to leave the work alone.
 * @returns how to release it; null when another page holds it
 */
export const tryLock = (name: string): Promise<(() => void) | null> =>
  requestLock(name, { ifAvailable: true });

/** Waits for a Web Lock. @returns how to release it */
export const waitForLock = async (name: string): Promise<() => void> =>
  (await requestLock(name, {})) ?? (() => {});
