import { planDetails } from '@/lib/billing/plans/contract';
import { userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { confirmReload } from './recording-steps';
import {
  countParts,
  dropConnection,
  expectSingleEntry,
  expectStored,
  largeVideo,
  MEGABYTE,
  startUpload,
  throttleNetwork,
  waitForProgress,
  waitForStoredFile,
} from './upload-steps';

const OFFLINE = /ERR_INTERNET_DISCONNECTED/;
/** Slow enough to do something meanwhile; bytes a second. */
const SLOW_BYTES_PER_SECOND = 6 * MEGABYTE;

test('an upload of 300 MB that is cut 20 times ends as one intact entry', async ({
  app,
  page,
  account,
  sql,
  watch,
}) => {
  test.setTimeout(240_000);
  watch.allowConsole(OFFLINE);
  const video = await largeVideo(300 * MEGABYTE);
  const parts = countParts(page);
  await startUpload(page, video.path, 'Twenty cuts');
  for (let n = 1; n <= 20; n += 1) {
    await waitForProgress(page, n / 21);
    await dropConnection(page);
  }
  await page.waitForURL('/journals', { timeout: 90_000 });
  expect(parts()).toBeLessThanOrEqual(video.parts + 20);
  const id = await expectSingleEntry(account.api, 'Twenty cuts');
  await expectStored(app, await userIdOf(sql, account.email), id, video.path);
});

test('an upload goes on after a reload, from where it was', async ({ page, api }) => {
  const video = await largeVideo(45 * MEGABYTE);
  const parts = countParts(page);
  await page.goto('/upload');
  await throttleNetwork(page, SLOW_BYTES_PER_SECOND);
  await startUpload(page, video.path, 'Reloaded');
  await waitForStoredFile(page);
  await waitForProgress(page, 0.4);
  await confirmReload(page);
  await expect(page.getByText('Uploading...')).toBeVisible();
  await page.waitForURL('/journals');
  expect(parts()).toBeLessThanOrEqual(video.parts + 1);
  await expectSingleEntry(api, 'Reloaded');
  await page.goto('/upload');
  await expect(page.getByRole('button', { name: 'Start Recording' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Uploads' })).toHaveCount(0);
});

test('a file that the browser could not keep is asked for again', async ({ page, api }) => {
  const [video, other] = [await largeVideo(30 * MEGABYTE), await largeVideo(20 * MEGABYTE)];
  const parts = countParts(page);
  await page.addInitScript(() => {
    navigator.storage.estimate = async () => ({ quota: 0, usage: 0 });
  });
  await page.goto('/upload');
  await throttleNetwork(page, SLOW_BYTES_PER_SECOND);
  await startUpload(page, video.path, 'Asked for');
  await waitForProgress(page, 0.6);
  await confirmReload(page);
  await expect(page.getByText(/holiday\.mp4 was interrupted at \d+%/)).toBeVisible();
  const again = page.getByLabel('Choose holiday.mp4 again');
  await again.setInputFiles(other.path);
  await expect(page.getByText('That’s a different file. Choose holiday.mp4 to continue.')).toBeVisible();
  await again.setInputFiles(video.path);
  await page.waitForURL('/journals');
  expect(parts()).toBeLessThanOrEqual(video.parts + 1);
  await expectSingleEntry(api, 'Asked for');
});

test('an upload outlives its session, renewed or not', async ({ page, context, account, watch }) => {
  watch.allowConsole(/status of 401/);
  const video = await largeVideo(45 * MEGABYTE);
  const parts = countParts(page);
  await page.goto('/upload');
  await throttleNetwork(page, SLOW_BYTES_PER_SECOND);
  await startUpload(page, video.path, 'Two sessions');
  await waitForStoredFile(page);
  await context.clearCookies({ name: 'next-auth.session-token' });
  await waitForProgress(page, 0.5);
  await context.clearCookies();
  await expect(page).toHaveURL(`/login?next=${encodeURIComponent('/upload')}`);
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('/journals');
  expect(parts()).toBeLessThanOrEqual(video.parts + 1);
  await expectSingleEntry(account.api, 'Two sessions');
});

test('an upload goes on while another page is looked at', async ({ page, api }) => {
  const video = await largeVideo(30 * MEGABYTE);
  await page.goto('/upload');
  await throttleNetwork(page, SLOW_BYTES_PER_SECOND);
  await startUpload(page, video.path, 'On the way');
  await page.getByRole('link', { name: 'Journal', exact: true }).click();
  await expect(page.getByText('Your journal is empty.')).toBeVisible();
  const pill = page.getByRole('link', { name: /^Uploading · \d+%$/ });
  await expect(pill).toBeVisible();
  await pill.click();
  await expect(page.getByText('Uploading...')).toBeVisible();
  await page.getByRole('link', { name: 'Journal', exact: true }).click();
  await expect(page.getByText('“On the way” finished uploading.')).toBeVisible();
  await expect(page.getByRole('link', { name: /On the way/ })).toBeVisible();
  await expectSingleEntry(api, 'On the way');
});

test('a cancelled upload frees its slot and leaves the form as it was', async ({ page, api }) => {
  const video = await largeVideo(30 * MEGABYTE);
  await page.goto('/upload');
  await throttleNetwork(page, SLOW_BYTES_PER_SECOND);
  await startUpload(page, video.path, 'Thought better of');
  await waitForProgress(page, 0.3);
  expect((await api.call(planDetails)).videoCount).toBe(1);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Thought better of');
  await expect(page.getByText('holiday.mp4')).toBeVisible();
  await expect.poll(async () => (await api.call(planDetails)).videoCount).toBe(0);
  expect((await api.call(planDetails)).storageUse).toBe(0);
});
