import type { DBSchema, IDBPDatabase } from 'idb';
import { defineDatabase } from '@/components/device/database';
import { getDeviceSetting, isCurrentAccount, setDeviceSetting } from '@/components/ui/browser-storage';
import { type Edit, type EditedEntry, WAITING_EDITS_KEY } from './edit';

/** Account, entry, and what's edited. */
type Key = [owner: string, entryId: string, target: string];

interface Schema extends DBSchema {
  edits: { key: Key; value: Edit };
}

const openDatabase = defineDatabase<Schema>('daylight-edits', 1, (db) => {
  db.createObjectStore('edits', { keyPath: ['owner', 'entryId', 'target'] });
});

const listeners = new Set<() => void>();

/** Calls a listener whenever this page has changed an edit. @returns a function that stops it */
export function subscribeToEdits(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Everything that begins with these parts of a key; arrays are the last to be sorted (Indexed Database API 3.0, 2.4). */
const startingWith = (...parts: string[]) => IDBKeyRange.bound(parts, [...parts, []]);

/**
 * Returns an edit as it's sent now. Those that earlier versions asked about, because the journal had changed, too, are
 * merged.
 */
function withoutOldProblem(edit: Edit): Edit {
  const isCurrent = edit.problem?.kind === 'entry-gone' || edit.problem?.kind === 'refused';
  return isCurrent ? edit : { ...edit, problem: null };
}

/** Returns the account's edits, oldest first; with an entry, only that one's. */
export async function listEdits(owner: string, entryId?: string): Promise<Edit[]> {
  const range = entryId === undefined ? startingWith(owner) : startingWith(owner, entryId);
  const edits = await (await openDatabase()).getAll('edits', range);
  return edits.map(withoutOldProblem).sort((one, two) => one.madeAt - two.madeAt);
}

/** Returns how many of the account's edits wait on this device. */
export async function countEdits(owner: string): Promise<number> {
  return (await openDatabase()).count('edits', startingWith(owner));
}

/** Saves whose edits wait, and tells the listeners. */
async function publish(db: IDBPDatabase<Schema>): Promise<void> {
  const keys = await db.getAllKeys('edits');
  const owners = new Set(keys.map(([owner]) => owner));
  const known = getDeviceSetting(WAITING_EDITS_KEY);
  const [first = null] = owners;
  // Whoever is using this device comes first.
  const current = [...owners].find(isCurrentAccount);
  setDeviceSetting(WAITING_EDITS_KEY, current ?? (known !== null && owners.has(known) ? known : first));
  for (const listener of listeners) listener();
}

/** Deletes all edits of an account, for logging out. */
export async function deleteEdits(owner: string): Promise<void> {
  const db = await openDatabase();
  await db.delete('edits', startingWith(owner));
  await publish(db);
}

/** An edit without what the store sets itself. */
export type EditValues = Edit extends infer Any ? (Any extends Edit ? Omit<Any, 'version'> : never) : never;

/**
 * Changes what's stored for one target in one transaction, so that no other tab comes in between.
 * @param next returns the edit to store, which may have another target, or null for none
 * @returns what's stored now
 * @throws Error if the account has logged out since, DOMException if the device can't store it
 */
export async function changeEdit(
  { owner, entryId }: Pick<EditedEntry, 'owner' | 'entryId'>,
  target: string,
  next: (current: Edit | undefined) => EditValues | null,
): Promise<Edit | null> {
  if (!isCurrentAccount(owner)) throw new Error('The account has logged out');
  const db = await openDatabase();
  const transaction = db.transaction('edits', 'readwrite', { durability: 'strict' });
  const key: Key = [owner, entryId, target];
  const current = await transaction.store.get(key);
  const wanted = next(current);
  const edit = wanted && ({ ...wanted, version: crypto.randomUUID() } as Edit);
  if (current && edit?.target !== target) await transaction.store.delete(key);
  if (edit) await transaction.store.put(edit);
  await transaction.done;
  await publish(db);
  return edit;
}

/**
 * Ends an edit that's been sent or dropped. If it has changed since it was read, stores what's left of it instead.
 * @param rest returns that from the newer edit
 */
export async function endEdit(edit: Edit, rest: (newer: Edit) => EditValues | null): Promise<void> {
  await changeEdit(edit, edit.target, (current) =>
    current && current.version !== edit.version ? rest(current) : null,
  );
}
