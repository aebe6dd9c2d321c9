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

/** Reads how many bytes of videos are kept in this browser. */
export const keptBytes = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open('daylight-kept'));
    const pieces: Blob[] = await done(database.transaction('pieces').objectStore('pieces').getAll());
    database.close();
    return pieces.reduce((sum, { size }) => sum + size, 0);
  });
