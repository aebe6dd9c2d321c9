import type { DBSchema } from 'idb';
import { defineDatabase } from '@/components/device/database';
import { decrementStoredCount, detectEviction, setStoredCount } from '@/components/device/eviction-detection';
import { freeBytes } from '@/components/device/free-space';
import { setDeviceSetting } from '@/components/ui/browser-storage';
import type { NewNote } from '@/lib/journal/notes/contract';
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
  /** Whether the file is that of a recording, whose local copy has the same id. */
  isRecording?: boolean;
  tagIds?: readonly string[];
  /** The question that it answers; empty for none. */
  question?: string;
  /** What its marks become. */
  notes?: readonly NewNote[];
}

interface Schema extends DBSchema {
  uploads: { key: string; value: StoredUpload };
  /** The files, if there's space. Kept apart because updating a record rewrites all of it. */
  files: { key: string; value: File };
}

/** Files that are larger, or take a third of the available space, aren't stored; people have to choose them again. In bytes. */
const MAX_STORED_BYTES = 1_000_000_000;

/** Opens the database of unfinished uploads. @throws DOMException if this browser stores nothing */
export const openDatabase = defineDatabase<Schema>(
  'daylight-uploads',
  1,
  (db) => {
    db.createObjectStore('uploads', { keyPath: 'id' });
    db.createObjectStore('files');
  },
  async (db) => {
    detectEviction('uploads', await db.count('uploads'));
  },
);

/**
 * Stores an upload and then its file, which may take a while. A recording's file is stored already.
 * @returns whether it survives a reload
 */
export async function storeUpload(upload: StoredUpload, file: File): Promise<boolean> {
  try {
    const db = await openDatabase();
    await db.put('uploads', upload);
    setStoredCount('uploads', await db.count('uploads'));
    setDeviceSetting(INTERRUPTED_UPLOADS_KEY, upload.owner);
    if (upload.isRecording) return true;
    if (upload.size > MAX_STORED_BYTES || upload.size >= ((await freeBytes()) ?? 0) / 3) return false;
    const transaction = db.transaction(['uploads', 'files'], 'readwrite');
    // It may have finished meanwhile.
    const wanted = await transaction.objectStore('uploads').get(upload.id);
    if (wanted) await transaction.objectStore('files').put(file, upload.id);
    await transaction.done;
    return wanted !== undefined;
  } catch {
    // The upload continues; after a reload, its file has to be chosen again.
    return false;
  }
}

/** Saves an upload's progress. */
export async function saveUploadProgress(id: string, sent: number): Promise<void> {
  try {
    const transaction = (await openDatabase()).transaction('uploads', 'readwrite');
    const upload = await transaction.store.get(id);
    if (upload) await transaction.store.put({ ...upload, sent });
    await transaction.done;
  } catch {
    // After a reload, the progress shown would be older.
  }
}

/** Deletes a finished or discarded upload. */
export async function deleteStoredUpload(id: string): Promise<void> {
  try {
    const db = await openDatabase();
    decrementStoredCount('uploads');
    const transaction = db.transaction(['uploads', 'files'], 'readwrite');
    await Promise.all([
      transaction.objectStore('uploads').delete(id),
      transaction.objectStore('files').delete(id),
      transaction.done,
    ]);
    const left = await db.count('uploads');
    setStoredCount('uploads', left);
    if (left === 0) setDeviceSetting(INTERRUPTED_UPLOADS_KEY, null);
  } catch {
    // It's resumed once more and found complete.
  }
}

/** Returns the unfinished uploads of all accounts. */
export async function listAllUploads(): Promise<StoredUpload[]> {
  try {
    return await (await openDatabase()).getAll('uploads');
  } catch {
    return [];
  }
}

/** Returns the file that was stored of an upload; null if it has to be chosen again. */
export async function readStoredFile(id: string): Promise<File | null> {
  return (await (await openDatabase()).get('files', id)) ?? null;
}

/** The name of the request, which the service worker gets back. */
export const SYNC_TAG = 'daylight-uploads';

/** Background Synchronization (WICG), which isn't in every browser. */
interface SyncRegistration extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}

/**
 * Has the service worker send the stored uploads as soon as there's a network, even if no page is open by then. Where
 * browsers can't do that, the next page does it.
 */
export async function requestBackgroundSync(): Promise<void> {
  try {
    const registration: SyncRegistration | undefined = await navigator.serviceWorker?.getRegistration();
    await registration?.sync?.register(SYNC_TAG);
  } catch {
    // The person has switched it off.
  }
}
