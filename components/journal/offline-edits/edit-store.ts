import type { DBSchema, IDBPDatabase } from 'idb';
import { defineDatabase } from '@/components/device/database';
import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import { isSameWords } from '@/components/journal/transcript/transcript-draft';
import { getDeviceSetting, isCurrentAccount, setDeviceSetting } from '@/components/ui/browser-storage';
import { cleanText } from '@/lib/foundation/shared/clean-text';
import type { Note } from '@/lib/journal/notes/contract';
import type { Transcription, Word } from '@/lib/journal/transcripts/contract';
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

/** Returns the account's edits, oldest first; with an entry, only that one's. */
export async function listEdits(owner: string, entryId?: string): Promise<Edit[]> {
  const range = entryId === undefined ? startingWith(owner) : startingWith(owner, entryId);
  const edits = await (await openDatabase()).getAll('edits', range);
  return edits.sort((one, two) => one.madeAt - two.madeAt);
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
  { owner, entryId }: OwnedEntry,
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

/** The target of a transcript's edit. */
const TRANSCRIPT = 'transcript';

let lastMadeAt = 0;

/** Returns what every new edit starts with. No two have the same time. */
function newEdit({ owner, entryId, title }: EditedEntry, target: string) {
  lastMadeAt = Math.max(Date.now(), lastMadeAt + 1);
  return { owner, entryId, title, target, madeAt: lastMadeAt, problem: null };
}

/** Stores a new note. */
export async function addNote(of: EditedEntry, text: string, moment: number | null): Promise<void> {
  const target = crypto.randomUUID();
  const kind = 'added-note' as const;
  await changeEdit(of, target, () => ({
    ...newEdit(of, target),
    ...{ kind, text: cleanText(text), moment, deleted: false, sentText: null },
  }));
}

/**
 * Stores a change of a note, of the journal's or of one that was written on this device. Several changes are stored as
 * one, and one that's been undone isn't stored.
 * @param note as it's shown
 */
async function changeNote(
  of: EditedEntry,
  note: Pick<Note, 'id' | 'text' | 'moment'>,
  values: { text?: string; deleted?: boolean },
): Promise<void> {
  await changeEdit(of, note.id, (current): EditValues | null => {
    if (current?.kind === 'added-note') return { ...current, ...values, problem: null };
    const { id, text, moment } = note;
    const kind = 'changed-note' as const;
    const changed =
      current?.kind === 'changed-note'
        ? { ...current, ...values, problem: null }
        : { ...newEdit(of, id), ...{ kind, before: text, text, moment, deleted: false }, ...values };
    return changed.text === changed.before && !changed.deleted ? null : changed;
  });
}

/** Stores the new text of a note. */
export const editNote = (of: EditedEntry, note: Note, text: string): Promise<void> =>
  changeNote(of, note, { text: cleanText(text) });

/** Stores that a note is deleted. */
export const deleteNote = (of: EditedEntry, note: Note): Promise<void> =>
  changeNote(of, note, { deleted: true });

/** Takes back that a note is deleted. */
export const undoDeleteNote = (of: EditedEntry, note: Note): Promise<void> =>
  changeNote(of, note, { deleted: false });

/**
 * Stores corrected words. Several corrections are stored as one.
 * @param corrected the transcript that the server has
 * @param words all of them, in time order
 */
export async function correctTranscript(
  of: EditedEntry,
  { revision, words: base }: Pick<Transcription, 'revision' | 'words'>,
  words: readonly Word[],
): Promise<void> {
  const kind = 'corrected-transcript' as const;
  await changeEdit(of, TRANSCRIPT, (current) => {
    const values =
      current?.kind === kind
        ? { ...current, words, problem: null }
        : { ...newEdit(of, TRANSCRIPT), kind, revision, base, words };
    return isSameWords(values.words, values.base) ? null : values;
  });
}

/** Has an edit sent once more that the server didn't accept. */
export async function retryEdit(edit: Edit): Promise<void> {
  await changeEdit(edit, edit.target, (current) => (current ? { ...current, problem: null } : null));
}
