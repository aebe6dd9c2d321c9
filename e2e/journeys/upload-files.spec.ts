import { appendFile, rename, utimes } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { h264Mp4 } from '@/test/media/clips';
import { userIdOf } from '../database';
import { expect, test } from '../fixtures';
import type { App } from '../running-app';
import { pauseRequests } from './pause-requests';
import {
  expectSingleEntry,
  expectStored,
  largeVideo,
  MEGABYTE,
  PRESIGNED_URL,
  startUpload,
  waitForStoredFile,
} from './upload-steps';

const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const chooseAgain = (page: Page, path: string) =>
  page.getByLabel('Choose holiday.mp4 again').setInputFiles(path);

/** Begins an upload and does something to its file right before the first part leaves the browser. */
async function startAndTouch(app: App, page: Page, path: string, title: string, touch: () => Promise<void>) {
  const release = await pauseRequests(page, `${app.addresses.storage}/**`);
  const part = page.waitForRequest((request) => request.method() === 'PUT');
  await startUpload(page, path, title);
  await part;
  await touch();
  release();
}

test('asks again for a file that was moved during its upload', async ({ app, page, api, watch }) => {
  watch.allowConsole(/ERR_FILE_NOT_FOUND/);
  const { path } = await largeVideo(10 * MEGABYTE);
  await startAndTouch(app, page, path, 'Moved', () => rename(path, `${path}.elsewhere`));
  await expect(uploads(page).getByText(/^This file was moved or changed/)).toBeVisible();
  await rename(`${path}.elsewhere`, path);
  await chooseAgain(page, path);
  await page.waitForURL('/journals');
  await expectSingleEntry(api, 'Moved');
});

test('starts over with a file that was changed during its upload', async ({
  app,
  page,
  account,
  api,
  sql,
  watch,
}) => {
  watch.allowConsole(/ERR_UPLOAD_FILE_CHANGED/);
  const { path } = await largeVideo(10 * MEGABYTE);
  await startAndTouch(app, page, path, 'Changed', async () => {
    await appendFile(path, 'more');
    // Browsers compare whole seconds.
    const before = new Date('2020-01-01');
    await utimes(path, before, before);
  });
  await expect(uploads(page).getByText(/^This file was moved or changed/)).toBeVisible();
  await chooseAgain(page, path);
  await page.waitForURL('/journals');
  await expectStored(app, await userIdOf(sql, account.email), await expectSingleEntry(api, 'Changed'), path);
});

test('an upload that no connection let start goes on after a reload', async ({ page, api, watch }) => {
  watch.allowConsole(/net::ERR_FAILED/);
  let cut = () => {};
  const isCut = new Promise<void>((resolve) => {
    cut = resolve;
  });
  await page.route(PRESIGNED_URL, async (route) => {
    await isCut;
    await route.abort();
  });
  await startUpload(page, await h264Mp4(), 'In a tunnel');
  cut();
  await expect(uploads(page).getByText(/^No connection\. Check your network/)).toBeVisible();
  await waitForStoredFile(page);
  await page.unroute(PRESIGNED_URL);
  await page.reload();
  await page.waitForURL('/journals');
  await expectSingleEntry(api, 'In a tunnel');
});
