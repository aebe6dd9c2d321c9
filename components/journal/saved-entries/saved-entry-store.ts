import type { DBSchema, IDBPDatabase } from 'idb';
import { defineDatabase } from '@/components/device/database';
import { detectEviction, setStoredCount } from '@/components/device/eviction-detection';
import type { Entry } from '@/lib/journal/entries/contract';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { CHANNEL, setSavedEntriesOwner } from './saved-entries-owner';

/** The size of the pieces that videos are downloaded and stored in, in bytes. */
export const PIECE_BYTES = 8 * 1024 * 1024;

/** An entry that's on this device, or on its way there. */
export interface SavedEntry {
  /** The account, so that no one else on this device sees it. */
  owner: string;
  id: string;
  /** When its owner asked for it, in milliseconds since 1970. */
  keptAt: number;
  /** When it was last compared with the server's, in milliseconds since 1970. */
  checkedAt: number;
  entry: Entry;
  /** As WebVTT; null if there are none. */
  captions: string | null;
  poster: Blob | null;
  /** The video's size. An estimate until the first piece is here, and 0 if there's none. */
  bytes: number;
  /** Storage's name for the version that the pieces are of; null before the first, or if storage doesn't say. */
  etag: string | null;
  /** Whether the whole video is here. */
  complete: boolean;
  /** What the download waits for, or why it stopped, as a sentence. */
  problem: string | null;
  /**
   * When its owner's session was found to have expired, in milliseconds since 1970. It isn't shown until the server has
   * given it to its owner again, and is deleted after {@link MAX_LOCK_AGE}. Null or missing otherwise.
   */
  lockedAt?: number | null;
}

/** How long a locked entry stays on this device, in milliseconds: 30 days. */
const MAX_LOCK_AGE = 30 * 24 * 60 * 60 * 1000;

/** Returns whether a saved entry must not be shown until its owner has logged in again. */
export const isLocked = ({ lockedAt }: Pick<SavedEntry, 'lockedAt'>): boolean => typeof lockedAt === 'number';

/** An entry with how much of its video is here, in bytes. */
export interface SavedEntryProgress extends SavedEntry {
  downloaded: number;
}

/** A piece of a video, as storage sent it. */
export interface Piece {
  blob: Blob;
  /** The whole video's size in bytes. */
  total: number;
  etag: string | null;
}

interface Schema extends DBSchema {
  entries: { key: [owner: string, id: string]; value: SavedEntry };
  /** Keyed by entry and piece number, so that a range in key order is the video. */
  pieces: { key: [id: string, index: number]; value: Blob };
}

/** Opens the database of saved entries. @throws DOMException if this browser stores nothing */
export const openDatabase = defineDatabase<Schema>(
  'daylight-kept',
  1,
  (db) => {
    db.createObjectStore('entries', { keyPath: ['owner', 'id'] });
    db.createObjectStore('pieces');
  },
  async (db) => {
    const all = await db.getAll('entries');
    detectEviction('entries', all.length);
    const isOver = ({ lockedAt }: SavedEntry) =>
      typeof lockedAt === 'number' && Date.now() - lockedAt > MAX_LOCK_AGE;
    const over = new Set(all.filter(isOver).map(({ id }) => id));
    // Here, so that it happens without a network, too.
    if (over.size > 0) await deleteFrom(db, ({ id }) => over.has(id));
  },
);

let announcements: BroadcastChannel | undefined;

function announceChange(): void {
  announcements ??= new BroadcastChannel(CHANNEL);
  announcements.postMessage(null);
}

const ofOwner = (owner: string) => IDBKeyRange.bound([owner], [owner, []]);
const ofEntry = (id: string) => IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY]);

/**
 * Returns an account's saved entries, newest date first.
 * @throws DOMException if this browser stores nothing
 */
export async function listSavedEntries(owner: string): Promise<SavedEntryProgress[]> {
  const transaction = (await openDatabase()).transaction(['entries', 'pieces']);
  const mine = await transaction.objectStore('entries').getAll(ofOwner(owner));
  const listed = await Promise.all(
    mine.map(async (saved) => {
      const pieces = await transaction.objectStore('pieces').count(ofEntry(saved.id));
      return { ...saved, downloaded: saved.complete ? saved.bytes : pieces * PIECE_BYTES };
    }),
  );
  return listed.sort((a, b) => toIso(b.entry.date).localeCompare(toIso(a.entry.date)) || b.keptAt - a.keptAt);
}

/** Returns all entries on this device, whoever's they are. @throws DOMException if this browser stores nothing */
export const listAllSavedEntries = async (): Promise<SavedEntry[]> =>
  (await openDatabase()).getAll('entries');

/** Returns a saved entry, or undefined. @throws DOMException if this browser stores nothing */
export async function readSavedEntry(owner: string, id: string): Promise<SavedEntry | undefined> {
  return (await openDatabase()).get('entries', [owner, id]);
}

/** Returns how many pieces of an entry's video are here. */
export async function countPieces(id: string): Promise<number> {
  return (await openDatabase()).count('pieces', ofEntry(id));
}

/** Deletes what's here of an entry's video, which frees space. */
export async function deletePieces(id: string): Promise<void> {
  await (await openDatabase()).delete('pieces', ofEntry(id));
}

/** Returns a saved entry's whole video; null if it's locked or some of it is missing. */
export async function readSavedVideo(saved: SavedEntry): Promise<Blob | null> {
  const { id, bytes, complete } = saved;
  if (!complete || isLocked(saved)) return null;
  const pieces = await (await openDatabase()).getAll('pieces', ofEntry(id));
  const video = new Blob(pieces, { type: pieces[0]?.type ?? '' });
  return video.size === bytes ? video : null;
}

/**
 * Adds an entry whose video isn't here yet. Changes nothing if it's saved already.
 * @throws DOMException `QuotaExceededError` if the device is full
 */
export async function addSavedEntry(saved: SavedEntry): Promise<void> {
  const transaction = (await openDatabase()).transaction('entries', 'readwrite');
  if (!(await transaction.store.get([saved.owner, saved.id]))) await transaction.store.put(saved);
  await transaction.done;
  setStoredCount('entries', await (await openDatabase()).count('entries'));
  setSavedEntriesOwner(saved.owner);
  announceChange();
}

/**
 * Changes a saved entry. Does nothing once it's removed.
 * @param startOver whether to delete the pieces of its video, which has changed
 */
export async function patchSavedEntry(
  owner: string,
  id: string,
  patch: Partial<Pick<SavedEntry, 'captions' | 'checkedAt' | 'entry' | 'lockedAt' | 'poster' | 'problem'>>,
  startOver = false,
): Promise<void> {
  const transaction = (await openDatabase()).transaction(['entries', 'pieces'], 'readwrite');
  const entries = transaction.objectStore('entries');
  const saved = await entries.get([owner, id]);
  if (saved) {
    const reset = startOver ? { complete: false, etag: null } : {};
    await entries.put({ ...saved, ...patch, ...reset });
    if (startOver) await transaction.objectStore('pieces').delete(ofEntry(id));
  }
  await transaction.done;
  announceChange();
}

/**
 * Stores the next piece of an entry's video.
 * @returns the entry with it; undefined if the entry has been removed
 * @throws DOMException `QuotaExceededError` if the device is full
 */
export async function putPiece(
  owner: string,
  id: string,
  index: number,
  { blob, total, etag }: Piece,
): Promise<SavedEntry | undefined> {
  const transaction = (await openDatabase()).transaction(['entries', 'pieces'], 'readwrite');
  const entries = transaction.objectStore('entries');
  const saved = await entries.get([owner, id]);
  const stored = saved && {
    ...saved,
    bytes: total,
    etag,
    complete: index * PIECE_BYTES + blob.size >= total,
  };
  if (stored) {
    await Promise.all([
      entries.put(stored),
      transaction.objectStore('pieces').put(blob, [id, index]),
      transaction.done,
    ]);
  }
  await transaction.done;
  announceChange();
  return stored;
}

/** Locks all entries on this device that aren't, whoever's they are. */
export async function lockSavedEntries(): Promise<void> {
  const transaction = (await openDatabase()).transaction('entries', 'readwrite');
  const lockedAt = Date.now();
  for (const saved of await transaction.store.getAll())
    if (!isLocked(saved)) await transaction.store.put({ ...saved, lockedAt });
  await transaction.done;
  announceChange();
}

type IsGone = (saved: { owner: string; id: string }) => boolean;

/** Deletes the saved entries that `isGone` returns true for. */
async function deleteFrom(db: IDBPDatabase<Schema>, isGone: IsGone): Promise<void> {
  const transaction = db.transaction(['entries', 'pieces'], 'readwrite');
  const [entries, pieces] = [transaction.objectStore('entries'), transaction.objectStore('pieces')];
  const keys = await entries.getAllKeys();
  const left = keys.filter(([owner, id]) => !isGone({ owner, id }));
  // Before they're deleted, or their absence would look like the browser's doing.
  setStoredCount('entries', left.length);
  for (const [owner, id] of keys)
    if (isGone({ owner, id })) await Promise.all([entries.delete([owner, id]), pieces.delete(ofEntry(id))]);
  await transaction.done;
  setSavedEntriesOwner(left[0]?.[0] ?? null);
  announceChange();
}

const deleteWhere = async (isGone: IsGone): Promise<void> => deleteFrom(await openDatabase(), isGone);

/** Deletes an account's saved entries, or some of them. */
export const deleteSavedEntries = (owner: string, ids?: readonly string[]): Promise<void> =>
  deleteWhere((saved) => saved.owner === owner && (ids?.includes(saved.id) ?? true));

/** Deletes all entries on this device, whoever's they are. */
export const deleteAllSavedEntries = (): Promise<void> => deleteWhere(() => true);

/** Deletes the entries that accounts other than this one saved. */
export const deleteEntriesOfOthers = (owner: string): Promise<void> =>
  deleteWhere((saved) => saved.owner !== owner);
