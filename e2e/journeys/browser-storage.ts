import type { Page } from '@playwright/test';

/** Everything that pages of this site keep in a browser, as one text. Files count by their name and size. */
export const readBrowserStorage = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const textOf = (_: string, value: unknown) => {
      if (value instanceof Map) return [...value];
      return value instanceof File
        ? `${value.name} ${value.size}`
        : value instanceof Blob
          ? value.size
          : value;
    };
    const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        kept.push([name, store, await done(objects.getAllKeys()), await done(objects.getAll())]);
      }
      database.close();
    }
    return JSON.stringify(kept, textOf);
  });

/** What a page holds of some phrases. */
export async function findInBrowserStorage(page: Page, phrases: readonly string[]): Promise<string[]> {
  const text = await readBrowserStorage(page);
  return phrases.filter((phrase) => text.includes(phrase));
}
