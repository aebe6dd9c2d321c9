import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { setAccountValue } from '@/components/ui/browser-storage';
import { IMPORT_KEY } from './import-state';

/** What Chromium adds to a handle, so that a file can be read again after a reload. */
export interface KeptFileHandle extends FileSystemFileHandle {
  queryPermission?(): Promise<PermissionState>;
  requestPermission?(): Promise<PermissionState>;
}

interface Schema extends DBSchema {
  /** By account. */
  files: { key: string; value: KeptFileHandle };
}

let databasePromise: Promise<IDBPDatabase<Schema>> | undefined;

function openDatabase(): Promise<IDBPDatabase<Schema>> {
  databasePromise ??= openDB<Schema>('daylight-imports', 1, {
    upgrade(db) {
      db.createObjectStore('files');
    },
  });
  return databasePromise;
}

/** Remembers an import, so that it can go on after a reload: its file's name, and the file itself where the browser can. */
export async function rememberImport(
  account: string,
  name: string,
  handle: KeptFileHandle | null,
): Promise<void> {
  setAccountValue(account, IMPORT_KEY, name);
  try {
    const db = await openDatabase();
    if (handle) await db.put('files', handle, account);
    else await db.delete('files', account);
  } catch {
    // After a reload, the file has to be chosen again.
  }
}

/** Returns the file whose import an earlier visit didn't finish; null if the browser keeps none. */
export async function interruptedFile(account: string): Promise<KeptFileHandle | null> {
  try {
    return (await (await openDatabase()).get('files', account)) ?? null;
  } catch {
    return null;
  }
}

/** Forgets an import that's finished or given up. */
export async function forgetImport(account: string): Promise<void> {
  setAccountValue(account, IMPORT_KEY, null);
  try {
    await (await openDatabase()).delete('files', account);
  } catch {
    // The file's name is gone, and nothing looks for the file without it.
  }
}
