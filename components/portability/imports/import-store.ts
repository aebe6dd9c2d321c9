import { type DBSchema, deleteDB } from 'idb';
import { defineDatabase } from '@/components/device/database';
import { isCurrentAccount, setAccountValue } from '@/components/ui/browser-storage';
import type { KeptHandle } from './chosen-files';
import type { ClipValues } from './clips/chosen-clip';
import type { ImportKind } from './import-source';
import { IMPORT_KEY, interruptedImport } from './interrupted-import';
import type { RowEdit } from './review/row-edits';

/** An import that isn't finished, as stored on this device. */
export interface StoredImport {
  importId: string;
  /** The name of the file or the folder. */
  name: string;
  kind: ImportKind;
  /** The files or folders that were chosen. Only Chromium has them. */
  handles: readonly KeptHandle[];
  /** What the user decided about each clip, by the clip's id; null for an archive, which says that itself. */
  clips: readonly (ClipValues & { id: string })[] | null;
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
  // An earlier version's, which a tab of that version may hold open.
  void deleteDB('daylight-imports').catch(() => {});
});

/**
 * Remembers an import, so that it can go on after a reload, with the files themselves where the browser can. Does nothing
 * in a tab whose account has signed out since.
 */
export async function rememberImport(account: string, stored: StoredImport): Promise<void> {
  setAccountValue(account, IMPORT_KEY, stored.name);
  if (!isCurrentAccount(account)) return;
  try {
    await (await openDatabase()).put('imports', stored, account);
  } catch {
    // After a reload, the files have to be chosen again.
  }
}

/** Returns the import that an earlier visit didn't finish; null if the browser keeps nothing of it but its name. */
export async function readStoredImport(account: string): Promise<StoredImport | null> {
  try {
    return (await (await openDatabase()).get('imports', account)) ?? null;
  } catch {
    return null;
  }
}

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
  if (!isCurrentAccount(account)) return;
  try {
    await (await openDatabase()).put('reviews', edits, account);
  } catch {
    // After a reload, the changes have to be made again.
  }
}

/** Returns what a person changed in the list of clips on an earlier visit. */
export async function readReviewEdits(account: string): Promise<ReadonlyMap<string, RowEdit>> {
  try {
    return (await (await openDatabase()).get('reviews', account)) ?? new Map();
  } catch {
    return new Map();
  }
}

/** Forgets an import that's finished or given up, and what was changed in the list of its clips. */
export async function forgetImport(account: string): Promise<void> {
  try {
    const db = await openDatabase();
    await Promise.all([db.delete('imports', account), db.delete('reviews', account)]);
  } catch {
    // Where nothing can be deleted, nothing was stored.
  }
  // Last, or another tab would take the import for one whose name was lost.
  setAccountValue(account, IMPORT_KEY, null);
}
