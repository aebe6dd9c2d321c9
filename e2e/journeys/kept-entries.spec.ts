import { readFile } from 'node:fs/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { Page } from '@playwright/test';
import { removeEntry, updateEntry } from '@/lib/journal/entries/contract';
import { entryKey } from '@/lib/journal/entries/keys';
import { h264Mp4 } from '@/test/media/clips';
import { userIdOf } from '../database';
import { test as base, expect } from '../fixtures';
import { storageClient } from '../storage';
import { expectAccessibleInEveryAppearance } from './axe';
import { findInBrowserStorage } from './browser-storage';
import { insertTranscript } from './entry-steps';
import { countLocked, keep, keepDialog, keptBytes, pressKeep } from './kept-steps';
import { largeVideo, MEGABYTE } from './upload-steps';

const TITLE = 'Evening at the lighthouse';
const SIZE = '20.00 MB';

const test = base.extend<{
  /** The id of an entry with a transcript, whose video comes in three pieces. */ entryId: string;
}>({
  entryId: async ({ app, account, upload, sql }, use) => {
    const { id } = await upload(await h264Mp4(), { title: TITLE, wait: 'transcript' });
    await insertTranscript(sql, id);
    const { path } = await largeVideo(20 * MEGABYTE);
    const Key = entryKey(await userIdOf(sql, account.email), id, 'video.mp4');
    const Body = await readFile(path);
    await storageClient(app).send(
      new PutObjectCommand({ Bucket: app.storage.bucket, Key, Body, ContentType: 'video/mp4' }),
    );
    await use(id);
  },
});

const onThisDevice = (page: Page) => page.getByRole('button', { name: `On this device · ${SIZE}` });

/** Notes which pieces of videos a page asks for, by their first byte. */
function watchPieces(page: Page): number[] {
  const starts: number[] = [];
  page.on('request', (request) => {
    const [, start] = /^bytes=(\d+)-\d+$/.exec(request.headers().range ?? '') ?? [];
    if (request.resourceType() === 'fetch' && request.url().includes('/api/v1/') && start !== undefined)
      starts.push(Number(start));
  });
  return starts;
}

test('an entry is kept from its page, listed in the settings, and removed', async ({ page, entryId }) => {
  await keep(page, entryId);
  expect(await keptBytes(page)).toBe(20 * MEGABYTE);
  expect(await findInBrowserStorage(page, [TITLE, 'WEBVTT'])).toEqual([TITLE, 'WEBVTT']);

  await page.goto('/settings/device');
  const entry = page.getByRole('listitem').filter({ hasText: TITLE });
  await expect(entry).toContainText(SIZE);
  await expect(page.getByText('All your recordings are uploaded.')).toBeVisible();
  await expect(page.getByText(/^Daylight uses .* Your browser allows up to /)).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await entry.getByRole('button', { name: `Remove ${TITLE}` }).click();
  await expect(page.getByText(/^No entries are on this device\./)).toBeVisible();
  expect(await keptBytes(page)).toBe(0);

  await keep(page, entryId);
  await onThisDevice(page).click();
  await keepDialog(page).getByRole('button', { name: 'Remove from this device' }).click();
  await expect(keepDialog(page).getByRole('button', { name: /^Keep on this device/ })).toBeVisible();
  expect(await keptBytes(page)).toBe(0);
});

test('a download that breaks continues where it was, also after the tab was closed', async ({
  page,
  context,
  watch,
  entryId,
}) => {
  watch.allowConsole(/net::ERR_FAILED|status of 403/);
  const starts = watchPieces(page);
  // The third piece never comes. Playwright doesn't see the requests that redirects lead to.
  const address = '**/api/v1/entry/*/video?*';
  await context.route(address, (route) =>
    route.request().headers().range?.startsWith('bytes=16777216-') ? route.abort() : route.continue(),
  );
  await pressKeep(page, entryId);
  await expect(keepDialog(page).getByText('No connection.')).toBeVisible();
  expect(await keptBytes(page)).toBe(2 * 8 * 1024 * 1024);
  await expectAccessibleInEveryAppearance(page);
  await page.close();
  expect(starts).toEqual(expect.arrayContaining([0, 8_388_608, 16_777_216]));

  await context.unroute(address);
  const tab = await context.newPage();
  const later = watchPieces(tab);
  await tab.goto('/journals');
  await expect.poll(() => keptBytes(tab)).toBe(20 * MEGABYTE);
  expect(later, 'only the piece that was missing').toEqual([16_777_216]);
  await tab.goto(`/entry/${entryId}`);
  await expect(onThisDevice(tab)).toBeVisible();
});

test('says that storage doesn’t let the site download videos', async ({ page, watch, entryId }) => {
  watch.allowConsole(/blocked by CORS policy|net::ERR_FAILED|status of 403/);
  // A header that no storage's CORS rule allows stands for a bucket whose rule is from before.
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = (input, init) => {
      const isPiece = String(input).includes('/video?') && init?.mode !== 'no-cors';
      return fetch(input, isPiece ? { ...init, headers: { ...init?.headers, 'x-refused': 'yes' } } : init);
    };
  });
  await pressKeep(page, entryId);
  await expect(keepDialog(page).getByText(/^Storage doesn’t let this site download videos\./)).toBeVisible();
  expect(await keptBytes(page)).toBe(0);
});

test('what’s kept follows the entry, and goes when it’s deleted', async ({ page, api, watch, entryId }) => {
  watch.allowConsole(/status of 404/);
  await keep(page, entryId);
  const change = { params: { id: entryId }, body: { title: 'Morning at the harbor' } };
  await api.call(updateEntry, change);
  await page.goto(`/entry/${entryId}`);
  await expect
    .poll(() => findInBrowserStorage(page, [TITLE, change.body.title]))
    .toEqual([change.body.title]);
  await api.call(removeEntry, { params: { id: entryId } });
  await page.goto('/settings/device');
  await expect(page.getByText(/^No entries are on this device\./)).toBeVisible();
  expect(await keptBytes(page)).toBe(0);
});

test('logging out and another account delete what’s kept, and an expired session doesn’t', async ({
  page,
  account,
  newAccount,
  signIn,
  watch,
  entryId,
}) => {
  watch.allowConsole(/status of 401/);
  const other = await newAccount();
  await keep(page, entryId);
  await page.context().clearCookies();
  await page.goto('/');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Login' })).toBeVisible();
  // Nobody logs in faster than that.
  await expect.poll(() => countLocked(page)).toBe(1);
  expect(await keptBytes(page)).toBe(20 * MEGABYTE);

  await signIn(page, account);
  await page.goto('/settings/device');
  await expect(page.getByRole('listitem').filter({ hasText: TITLE })).toContainText(SIZE);
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  expect(await keptBytes(page)).toBe(0);
  expect(await findInBrowserStorage(page, [TITLE])).toEqual([]);

  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Total Entries: 1')).toBeVisible();
  await keep(page, entryId);
  await signIn(page, other);
  await page.goto('/journals');
  await expect.poll(() => findInBrowserStorage(page, [TITLE])).toEqual([]);
  expect(await keptBytes(page)).toBe(0);
});
