import type { Page } from '@playwright/test';
import { expect } from '../fixtures';

export const keepDialog = (page: Page) => page.getByRole('dialog', { name: 'Keep on this device' });

/** Opens an entry and keeps it on this device, without waiting for its download. */
export async function pressKeep(page: Page, entryId: string): Promise<void> {
  await page.goto(`/entry/${entryId}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Keep on this device' }).click();
  await keepDialog(page)
    .getByRole('button', { name: /^Keep on this device · / })
    .click();
}

/** Opens an entry and keeps it on this device. */
export async function keep(page: Page, entryId: string): Promise<void> {
  await pressKeep(page, entryId);
  await expect(keepDialog(page).getByText(/^On this device · /)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^On this device · / })).toBeVisible();
}

/** Reads what's kept in this browser: the bytes of its videos, and how many of its entries are locked. */
const readKept = (page: Page): Promise<{ bytes: number; locked: number }> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open('daylight-kept'));
    const transaction = database.transaction(['entries', 'pieces']);
    const pieces: Blob[] = await done(transaction.objectStore('pieces').getAll());
    const entries: { lockedAt?: number | null }[] = await done(transaction.objectStore('entries').getAll());
    database.close();
    return {
      bytes: pieces.reduce((sum, { size }) => sum + size, 0),
      locked: entries.filter(({ lockedAt }) => typeof lockedAt === 'number').length,
    };
  });

/** Reads how many bytes of videos are kept in this browser. */
export const keptBytes = async (page: Page): Promise<number> => (await readKept(page)).bytes;

/** Reads how many entries in this browser wait for their owner to log in again. */
export const countLocked = async (page: Page): Promise<number> => (await readKept(page)).locked;
