import type { DBSchema } from 'idb';
import { defineDatabase } from '@/components/device/database';
import { findSharesToDelete } from './share-limits';

/** A video that another app shared, on this device until it's uploaded from here. */
export interface SharedVideo {
  id: string;
  /** The id that it shares with the videos that came with it, and that the studio's address has. */
  share: string;
  /** Its place among them, from 0. */
  index: number;
  file: File;
  /** What the other app called it; often empty. */
  title: string;
  /** Milliseconds since 1970. */
  sharedAt: number;
  /** The account whose studio asked about it; null until one does. */
  owner: string | null;
  /** Whether its owner wants it in the journal. */
  isAccepted?: boolean;
}

interface Schema extends DBSchema {
  videos: { key: string; value: SharedVideo; indexes: { share: string } };
}

/** How long a video waits for its upload, in milliseconds: a day. */
const MAX_AGE = 24 * 60 * 60 * 1000;

const openDatabase = defineDatabase<Schema>('daylight-shared', 1, (db) => {
  db.createObjectStore('videos', { keyPath: 'id' }).createIndex('share', 'share');
});

const isExpired = ({ sharedAt }: SharedVideo): boolean => Math.abs(Date.now() - sharedAt) >= MAX_AGE;

/** Deletes videos older than a day, and those that belong to an account if one is given. */
export async function deleteOldShares(owner?: string): Promise<void> {
  const db = await openDatabase();
  for (const video of await db.getAll('videos'))
    if (isExpired(video) || (owner !== undefined && video.owner === owner))
      await db.delete('videos', video.id);
}

/**
 * Stores videos that another app shared: all of them or none. Deletes those that are older than a day, and the oldest that
 * nobody has accepted if there would be too many.
 * @returns the id of the share
 * @throws DOMException `QuotaExceededError` if the device is full
 */
export async function storeShare(files: readonly File[], title: string): Promise<string> {
  await deleteOldShares();
  const share = crypto.randomUUID();
  const transaction = (await openDatabase()).transaction('videos', 'readwrite');
  const about = { share, sharedAt: Date.now(), owner: null };
  const waiting = (await transaction.store.getAll()).filter((video) => !video.isAccepted);
  const dropped = findSharesToDelete(waiting, files);
  await Promise.all([
    ...waiting.filter((video) => dropped.has(video.share)).map(({ id }) => transaction.store.delete(id)),
    ...files.map((file, index) =>
      transaction.store.put({
        ...about,
        id: crypto.randomUUID(),
        index,
        file,
        title: index === 0 ? title : '',
      }),
    ),
    transaction.done,
  ]);
  return share;
}

/**
 * Gives the videos of a share to the account whose studio asks for it first.
 * @param change what else to record of them
 * @returns them in their order, as they were before; empty if there are none, or if they're another account's
 */
export async function claimShare(
  share: string,
  owner: string,
  change: { isAccepted?: true } = {},
): Promise<SharedVideo[]> {
  const { store, done } = (await openDatabase()).transaction('videos', 'readwrite');
  const all = await store.index('share').getAll(share);
  const mine = all.filter((video) => !isExpired(video) && (video.owner ?? owner) === owner);
  await Promise.all([...mine.map((video) => store.put({ ...video, owner, ...change })), done]);
  return mine.sort((one, other) => one.index - other.index);
}

/** The share that the studio's address has, or null. */
const sharedInAddress = (): string | null =>
  window.location.pathname === '/upload' ? new URLSearchParams(window.location.search).get('shared') : null;

/** Removes the share from the studio's address, so that a reload doesn't look for it. */
export function clearSharedInAddress(): void {
  if (sharedInAddress() === null) return;
  const address = new URL(window.location.href);
  address.searchParams.delete('shared');
  window.history.replaceState(null, '', address);
}

/** Deletes a video that's uploaded, stored for its upload, or not wanted. Ignores a browser that can't. */
export async function deleteSharedVideo(id: string): Promise<void> {
  try {
    const db = await openDatabase();
    const share = (await db.get('videos', id))?.share;
    await db.delete('videos', id);
    if (share === undefined || share !== sharedInAddress()) return;
    if ((await db.countFromIndex('videos', 'share', share)) === 0) clearSharedInAddress();
  } catch {
    // It expires.
  }
}
