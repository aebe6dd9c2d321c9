import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { setDeviceSetting } from '@/components/ui/browser-storage';
import { INTERRUPTED_UPLOADS_KEY } from './upload-queue-store';

/** An upload that is not done, as this device remembers it. */
export interface StoredUpload {
  /** The client_id of the upload. */
  id: string;
  /** The account, so that nobody else at this device is told of it. */
  owner: string;
  title: string;
  /** `YYYY-MM-DD` */
  date: string;
  name: string;
  size: number;
  lastModified: number;
  /** Bytes that had arrived when it was last noted. */
  sent: number;
}

interface Schema extends DBSchema {
  uploads: { key: string; value: StoredUpload };
  /** The files themselves, where the browser has room for them; apart, as a write copies all of a record. */
  files: { key: string; value: File };
}

/** Larger files are not copied into the browser: they are asked for again. In bytes. */
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

/** A file may be kept where it takes at most a third of the room that is left. */
async function hasSpaceFor(size: number): Promise<boolean> {
  if (size > MAX_STORED_BYTES) return false;
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  return size < (quota - usage) / 3;
}

/** Remembers an upload, and then its file, which may take a while. A browser that keeps nothing is no error. */
export async function storeUpload(upload: StoredUpload, file: File): Promise<void> {
  try {
    const db = await openDatabase();
    await db.put('uploads', upload);
    setDeviceSetting(INTERRUPTED_UPLOADS_KEY, upload.owner);
    if (!(await hasSpaceFor(upload.size))) return;
    const transaction = db.transaction(['uploads', 'files'], 'readwrite');
    // It may have ended meanwhile.
    const wanted = await transaction.objectStore('uploads').get(upload.id);
    if (wanted) await transaction.objectStore('files').put(file, upload.id);
    await transaction.done;
  } catch {
    // The upload goes on; after a reload its file would be asked for.
  }
}

/** Notes how far an upload is. */
export async function saveUploadProgress(id: string, sent: number): Promise<void> {
  try {
    const transaction = (await openDatabase()).transaction('uploads', 'readwrite');
    const kept = await transaction.store.get(id);
    if (kept) await transaction.store.put({ ...kept, sent });
    await transaction.done;
  } catch {
    // Only what is said after a reload would be older.
  }
}

/** Forgets an upload that is done or was discarded. */
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
    // It is offered once more, and found complete then.
  }
}

/** The account's uploads that are not done, each with its file where it was kept. */
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
