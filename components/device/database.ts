import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/**
 * Defines one of this browser's databases.
 * @param upgrade creates the object stores
 * @param onOpen runs whenever the database has been opened, before anything else uses it
 * @returns a function that opens it, once per page, and again after it was closed or couldn't be opened. It throws a
 *   DOMException if this browser stores nothing, or if a tab of an earlier version keeps the database from being upgraded.
 */
export function defineDatabase<Schema extends DBSchema>(
  name: string,
  version: number,
  upgrade: (db: IDBPDatabase<Schema>) => void,
  onOpen?: (db: IDBPDatabase<Schema>) => void | Promise<void>,
): () => Promise<IDBPDatabase<Schema>> {
  let connection: Promise<IDBPDatabase<Schema>> | undefined;
  const forget = () => {
    connection = undefined;
  };

  const connect = () =>
    new Promise<IDBPDatabase<Schema>>((resolve, reject) => {
      if (!globalThis.indexedDB) throw new DOMException('This browser stores nothing', 'NotSupportedError');
      openDB<Schema>(name, version, {
        upgrade,
        // Tabs of this version close theirs at once, so it may take as long as that tab is open.
        blocked: () => reject(new DOMException('An open tab has an earlier version', 'InvalidStateError')),
        // Another tab upgrades or deletes it.
        blocking: (_current, _next, event) => {
          forget();
          (event.target as IDBDatabase).close();
        },
        // The browser closed it, such as when site data is deleted.
        terminated: forget,
      }).then(resolve, reject);
    });

  async function open(): Promise<IDBPDatabase<Schema>> {
    try {
      const db = await connect();
      await onOpen?.(db);
      return db;
    } catch (error) {
      forget();
      throw error;
    }
  }

  return () => {
    connection ??= open();
    return connection;
  };
}
