import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { markKept, reportKept } from '@/components/device/kept-marker';
import type { Entry } from '@/lib/journal/entries/contract';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { CHANNEL, setKeptOwner } from './has-kept';

/** The size of the pieces that videos are downloaded and stored in, in bytes. */
export const PIECE_BYTES = 8 * 1024 * 1024;

/** An entry that's on this device, or on its way there. */
export interface KeptEntry {
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

/** Returns whether a kept entry must not be shown until its owner has logged in again. */
export const isLocked = ({ lockedAt }: Pick<KeptEntry, 'lockedAt'>): boolean => typeof lockedAt === 'number';

/** An entry with how much of its video is here, in bytes. */
export interface KeptProgress extends KeptEntry {
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
  entries: { key: [owner: string, id: string]; value: KeptEntry };
  /** Keyed by entry and piece number, so that a range in key order is the video. */
  pieces: { key: [id: string, index: number]; value: Blob };
}

let databasePromise: Promise<IDBPDatabase<Schema>> | undefined;
let announcements: BroadcastChannel | undefined;

function openDatabase(): Promise<IDBPDatabase<Schema>> {
  databasePromise ??= openDB<Schema>('daylight-kept', 1, {
    upgrade(db) {
      db.createObjectStore('entries', { keyPath: ['owner', 'id'] });
      db.createObjectStore('pieces');
    },
  }).then(async (db) => {
    const all = await db.getAll('entries');
    reportKept('entries', all.length);
    const isOver = ({ lockedAt }: KeptEntry) =>
      typeof lockedAt === 'number' && Date.now() - lockedAt > MAX_LOCK_AGE;
    const over = new Set(all.filter(isOver).map(({ id }) => id));
    // Here, so that it happens without a network, too.
    if (over.size > 0) await deleteFrom(db, ({ id }) => over.has(id));
    return db;
  });
  return databasePromise;
}

/** Notices if the browser has deleted entries. */
export const checkKept = async (): Promise<void> => void (await openDatabase());

function announceChange(): void {
  announcements ??= new BroadcastChannel(CHANNEL);
  announcements.postMessage(null);
}

const ofOwner = (owner: string) => IDBKeyRange.bound([owner], [owner, []]);
const ofEntry = (id: string) => IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY]);

/**
 * Returns an account's kept entries, newest date first.
 * @throws DOMException if this browser stores nothing
 */
export async function listKept(owner: string): Promise<KeptProgress[]> {
  const transaction = (await openDatabase()).transaction(['entries', 'pieces']);
  const mine = await transaction.objectStore('entries').getAll(ofOwner(owner));
  const listed = await Promise.all(
    mine.map(async (kept) => {
      const pieces = await transaction.objectStore('pieces').count(ofEntry(kept.id));
      return { ...kept, downloaded: kept.complete ? kept.bytes : pieces * PIECE_BYTES };
    }),
  );
  return listed.sort((a, b) => toIso(b.entry.date).localeCompare(toIso(a.entry.date)) || b.keptAt - a.keptAt);
}

/** Returns all entries on this device, whoever's they are. @throws DOMException if this browser stores nothing */
export const listEveryKept = async (): Promise<KeptEntry[]> => (await openDatabase()).getAll('entries');

/** Returns a kept entry, or undefined. @throws DOMException if this browser stores nothing */
export async function readKept(owner: string, id: string): Promise<KeptEntry | undefined> {
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

/** Returns a kept entry's whole video; null if it's locked or some of it is missing. */
export async function readKeptVideo(kept: KeptEntry): Promise<Blob | null> {
  const { id, bytes, complete } = kept;
  if (!complete || isLocked(kept)) return null;
  const pieces = await (await openDatabase()).getAll('pieces', ofEntry(id));
  const video = new Blob(pieces, { type: pieces[0]?.type ?? '' });
  return video.size === bytes ? video : null;
}

/**
 * Adds an entry whose video isn't here yet. Changes nothing if it's kept already.
 * @throws DOMException `QuotaExceededError` if the device is full
 */
export async function addKept(kept: KeptEntry): Promise<void> {
  const transaction = (await openDatabase()).transaction('entries', 'readwrite');
  if (!(await transaction.store.get([kept.owner, kept.id]))) await transaction.store.put(kept);
  await transaction.done;
  markKept('entries', await (await openDatabase()).count('entries'));
  setKeptOwner(kept.owner);
  announceChange();
}

/**
 * Changes a kept entry. Does nothing once it's removed.
 * @param startOver whether to delete the pieces of its video, which has changed
 */
export async function patchKept(
  owner: string,
  id: string,
  patch: Partial<Pick<KeptEntry, 'captions' | 'checkedAt' | 'entry' | 'lockedAt' | 'poster' | 'problem'>>,
  startOver = false,
): Promise<void> {
  const transaction = (await openDatabase()).transaction(['entries', 'pieces'], 'readwrite');
  const entries = transaction.objectStore('entries');
  const kept = await entries.get([owner, id]);
  if (kept) {
    const reset = startOver ? { complete: false, etag: null } : {};
    await entries.put({ ...kept, ...patch, ...reset });
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
): Promise<KeptEntry | undefined> {
  const transaction = (await openDatabase()).transaction(['entries', 'pieces'], 'readwrite');
  const entries = transaction.objectStore('entries');
  const kept = await entries.get([owner, id]);
  const stored = kept && { ...kept, bytes: total, etag, complete: index * PIECE_BYTES + blob.size >= total };
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
export async function lockAllKept(): Promise<void> {
  const transaction = (await openDatabase()).transaction('entries', 'readwrite');
  const lockedAt = Date.now();
  for (const kept of await transaction.store.getAll())
    if (!isLocked(kept)) await transaction.store.put({ ...kept, lockedAt });
  await transaction.done;
  announceChange();
}

type IsGone = (kept: { owner: string; id: string }) => boolean;

/** Deletes the kept entries that `isGone` returns true for. */
async function deleteFrom(db: IDBPDatabase<Schema>, isGone: IsGone): Promise<void> {
  const transaction = db.transaction(['entries', 'pieces'], 'readwrite');
  const [entries, pieces] = [transaction.objectStore('entries'), transaction.objectStore('pieces')];
  const keys = await entries.getAllKeys();
  const left = keys.filter(([owner, id]) => !isGone({ owner, id }));
  // Before they're deleted, or their absence would look like the browser's doing.
  markKept('entries', left.length);
  for (const [owner, id] of keys)
    if (isGone({ owner, id })) await Promise.all([entries.delete([owner, id]), pieces.delete(ofEntry(id))]);
  await transaction.done;
  setKeptOwner(left[0]?.[0] ?? null);
  announceChange();
}

const deleteWhere = async (isGone: IsGone): Promise<void> => deleteFrom(await openDatabase(), isGone);

/** Deletes some of an account's kept entries. */
export const deleteKept = (owner: string, ids: readonly string[]): Promise<void> =>
  deleteWhere((kept) => kept.owner === owner && ids.includes(kept.id));

/** Deletes all entries that an account kept. */
export const deleteAllKept = (owner: string): Promise<void> => deleteWhere((kept) => kept.owner === owner);

/** Deletes all entries on this device, whoever's they are. */
export const deleteEveryKept = (): Promise<void> => deleteWhere(() => true);

/** Deletes the entries that accounts other than this one kept. */
export const deleteKeptOfOthers = (owner: string): Promise<void> =>
  deleteWhere((kept) => kept.owner !== owner);
