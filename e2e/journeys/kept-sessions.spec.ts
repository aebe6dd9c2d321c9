import type { Page } from '@playwright/test';
import { login } from '@/lib/account/registration/contract';
import { revokeOtherSessions } from '@/lib/account/sessions/contract';
import { h264Mp4 } from '@/test/media/clips';
import type { Account } from '../accounts';
import { createClient } from '../client';
import { userIdOf } from '../database';
import { test as base, expect } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { findInBrowserStorage } from './browser-storage';
import { keep, keptBytes } from './kept-steps';
import { OFFLINE_ERRORS, prepareOffline } from './offline-steps';
import { record, savedHere } from './recording-steps';

const TITLE = 'Evening at the lighthouse';

const test = base.extend<{
  /** The id of an entry that's kept on the device of `page`, where everything works without a network. */
  entryId: string;
  /** Signs the account out on all devices but a new one. */
  signOutEverywhere: () => Promise<void>;
}>({
  serviceWorkers: 'allow',
  entryId: async ({ page, upload, watch }, use) => {
    watch.allowConsole(OFFLINE_ERRORS);
    watch.allowConsole(/status of 401/);
    const { id } = await upload(await h264Mp4(), { title: TITLE });
    await prepareOffline(page);
    await keep(page, id);
    await use(id);
  },
  signOutEverywhere: async ({ app, account: { email, password } }, use) => {
    await use(async () => {
      const elsewhere = createClient(app.url);
      await elsewhere.call(login, { body: { email, password } });
      await elsewhere.call(revokeOtherSessions);
    });
  },
});

async function logIn(page: Page, { email, password }: Account): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Total Entries: 1')).toBeVisible();
}

test('signing out everywhere deletes what’s kept on other devices, and no recording', async ({
  page,
  context,
  account,
  entryId,
  signOutEverywhere,
}) => {
  await page.goto('/upload');
  await record(page);
  await signOutEverywhere();
  await page.goto(`/entry/${entryId}`);
  await expect(page).toHaveURL(/\/login\?next=/);
  await expect.poll(() => keptBytes(page)).toBe(0);
  expect(await findInBrowserStorage(page, [TITLE])).toEqual([]);
  await context.setOffline(true);
  await page.goto(`/entry/${entryId}`);
  await expect(page.getByRole('heading', { name: 'This entry isn’t on this device.' })).toBeVisible();
  await context.setOffline(false);

  await logIn(page, account);
  await page.goto('/upload');
  await expect(savedHere(page)).toBeVisible();
});

test('an account that’s gone takes what’s kept with it, and no recording', async ({
  page,
  account,
  sql,
  entryId,
}) => {
  const id = await userIdOf(sql, account.email);
  await page.goto('/upload');
  await record(page);
  expect(entryId).not.toBe('');
  await sql`delete from users where id = ${id}`;
  await page.goto('/');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Login' })).toBeVisible();
  await expect.poll(() => keptBytes(page)).toBe(0);
  expect(await findInBrowserStorage(page, [TITLE, id]), 'the recording names its owner').toEqual([id]);
});

test('an entry that plays without a network closes once the device hears of it', async ({
  page,
  context,
  entryId,
  signOutEverywhere,
}) => {
  await context.setOffline(true);
  await page.goto(`/entry/${entryId}`);
  await expect(page.getByRole('heading', { name: TITLE })).toBeVisible();
  await signOutEverywhere();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'This entry isn’t on this device.' })).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);
  expect(await keptBytes(page)).toBe(0);
});

test('an expired session locks what’s kept until its owner has logged in again', async ({
  page,
  context,
  account,
  entryId,
}) => {
  const before = await keptBytes(page);
  await context.clearCookies();
  const asked = page.waitForResponse('**/token/refresh');
  await page.goto('/');
  expect(await (await asked).json()).toMatchObject({ fields: { session: 'expired' } });
  const isLocked = () =>
    page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open('daylight-kept');
        opening.onsuccess = () => resolve(opening.result);
      });
      const entries = await new Promise<{ lockedAt?: number }[]>((resolve) => {
        const reading = database.transaction('entries').objectStore('entries').getAll();
        reading.onsuccess = () => resolve(reading.result);
      });
      database.close();
      return entries.every(({ lockedAt }) => typeof lockedAt === 'number');
    });
  await expect.poll(isLocked).toBe(true);

  await context.setOffline(true);
  await page.goto('/journals');
  await expect(
    page.getByText(/^1 entry on this device is locked, because you’re logged out\./),
  ).toBeVisible();
  await expect(page.getByText(TITLE)).toHaveCount(0);
  await expectAccessibleInEveryAppearance(page);
  await page.goto('/settings');
  await expect(page.getByText(/^1 entry on this device is locked/)).toBeVisible();
  await expect(page.getByText(TITLE)).toHaveCount(0);
  await page.goto(`/entry/${entryId}`);
  await expect(page.getByRole('heading', { name: 'This entry is locked.' })).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);
  expect(await keptBytes(page)).toBe(before);

  await context.setOffline(false);
  await logIn(page, account);
  await page.goto('/settings/device');
  await expect(page.getByRole('listitem').filter({ hasText: TITLE })).toBeVisible();
  await context.setOffline(true);
  await page.goto(`/entry/${entryId}`);
  await expect(page.getByRole('heading', { name: TITLE })).toBeVisible();
  await expect(page.locator('video')).toHaveCount(1);
});
