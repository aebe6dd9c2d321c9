import type { DBSchema, IDBPDatabase } from 'idb';
import { defineDatabase } from '@/components/device/database';
import { isCurrentAccount, setAccountValue } from '@/components/ui/browser-storage';
import type { ImportSession } from './import-reducer';
import type { ImportKind } from './import-source';
import { IMPORT_KEY, interruptedImport } from './import-state';
import type { RowEdit } from './review/review-row';

/** An import that isn't finished, as stored on this device. */
export interface StoredImport extends Pick<ImportSession, 'handles' | 'clips'> {
  importId: string;
  /** The name of the file or the folder. */
  name: string;
  kind: ImportKind;
}

interface Schema extends DBSchema {
  /** By account. */
  imports: { key: string; value: StoredImport };
  /** By account: what the user changed in the list of clips before they're imported, by the clip's id. */
  reviews: { key: string; value: ReadonlyMap<string, RowEdit> };
}

const openDatabase = defineDatabase<Schema>('daylight-import', 1, (db) => {
  db.createObjectStore('imports');
  db.createObjectStore('reviews');
});

/** Does something with the database. @returns null if the browser can't store anything, or doesn't let the page */
async function withDatabase<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T | null> {
  try {
    return await work(await openDatabase());
  } catch {
    return null;
  }
}

/**
 * Remembers an import, so that it can go on after a reload, with the files themselves where the browser can. Elsewhere,
 * they have to be chosen again. Does nothing in a tab whose account has signed out since.
 */
export async function rememberImport(account: string, stored: StoredImport): Promise<void> {
  setAccountValue(account, IMPORT_KEY, stored.name);
  if (isCurrentAccount(account)) await withDatabase((db) => db.put('imports', stored, account));
}

/** Returns the import that an earlier visit didn't finish; null if the browser keeps nothing of it but its name. */
export const readStoredImport = async (account: string): Promise<StoredImport | null> =>
  (await withDatabase((db) => db.get('imports', account))) ?? null;

/**
 * Remembers the name of an unfinished import again, if the browser has lost it: it writes its simple storage seconds late,
 * so a crash may come first.
 */
export async function recoverInterruptedImport(account: string): Promise<void> {
  const stored = interruptedImport(account) === null ? await readStoredImport(account) : null;
  if (stored) setAccountValue(account, IMPORT_KEY, stored.name);
}

/**
 * Stores what a person has changed in the list of clips, in case the tab closes. Does nothing in a tab whose account has
 * signed out since.
 */
export async function storeReviewEdits(account: string, edits: ReadonlyMap<string, RowEdit>): Promise<void> {
  if (isCurrentAccount(account)) await withDatabase((db) => db.put('reviews', edits, account));
}

/** Returns what a person changed in the list of clips on an earlier visit. */
export const readReviewEdits = async (account: string): Promise<ReadonlyMap<string, RowEdit>> =>
  (await withDatabase((db) => db.get('reviews', account))) ?? new Map();

/** Forgets an import that's finished or given up, and what was changed in the list of its clips. */
export async function forgetImport(account: string): Promise<void> {
  await withDatabase((db) => Promise.all([db.delete('imports', account), db.delete('reviews', account)]));
  // Last, or another tab would take the import for one whose name was lost.
  setAccountValue(account, IMPORT_KEY, null);
}
