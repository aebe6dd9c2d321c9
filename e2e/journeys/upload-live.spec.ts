import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { planDetails } from '@/lib/billing/plans/contract';
import { listEntries } from '@/lib/journal/entries/contract';
import { PART_BYTES, type UploadState } from '@/lib/video/uploads/contract';
import { userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { confirmReload, record, savedHere, startRecording, stopRecording } from './recording-steps';
import { countParts, OFFLINE_MESSAGE } from './upload-steps';

const SAVED = 'Saved to your account as you record.';

test.beforeEach(async ({ page }) => {
  await page.addInitScript({ path: fileURLToPath(new URL('noisy-camera.js', import.meta.url)) });
});

/** Starts a recording and waits until the account has some of it. */
async function recordBriefly(page: Page): Promise<void> {
  await page.goto('/upload');
  await startRecording(page);
  await expect(page.getByText(SAVED)).toBeVisible({ timeout: 60_000 });
}

const localCopies = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('daylight');
        opening.onsuccess = () => {
          const count = opening.result.transaction('recordings').objectStore('recordings').count();
          count.onsuccess = () => {
            opening.result.close();
            resolve(count.result);
          };
        };
      }),
  );

test('a recording is sent while it is made, and its copy here goes once the server has it', async ({
  page,
  api,
}) => {
  const parts = countParts(page);
  await recordBriefly(page);
  await expect.poll(parts).toBeGreaterThan(0);
  expect(await api.call(listEntries), 'nothing shows before it is uploaded').toEqual([]);
  await stopRecording(page);
  expect(await localCopies(page)).toBe(1);
  await page.getByLabel('Title').fill('Sent meanwhile');
  await page.getByRole('button', { name: 'Upload Video' }).click();
  await page.waitForURL('/journals');
  const [entry] = await api.call(listEntries);
  expect(entry?.title).toBe('Sent meanwhile');
  const { videoCount, storageUse } = await api.call(planDetails);
  expect(videoCount).toBe(1);
  expect(parts(), 'no part is sent twice').toBe(Math.ceil(storageUse / PART_BYTES));
  await expect.poll(() => localCopies(page)).toBe(0);
});

test('a short recording goes once the server confirms it, and stays if it can’t', async ({ page, api }) => {
  const states = /\/api\/v1\/entry\/[^/]+\/upload$/;
  for (const [title, md5, copies] of [
    ['Confirmed', null, 0],
    ['Not confirmed', 'AAAAAAAAAAAAAAAAAAAAAA==', 1],
  ] as const) {
    let confirmed = false;
    await page.route(states, async (route) => {
      const response = await route.fetch();
      const state = (await response.json()) as UploadState;
      confirmed ||= state.complete;
      const parts = state.parts.map((part) => ({ ...part, md5: md5 ?? part.md5 }));
      await route.fulfill({ response, json: { ...state, parts } });
    });
    await page.goto('/upload');
    await record(page);
    await page.getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Upload Video' }).click();
    await page.waitForURL('/journals');
    expect(confirmed).toBe(true);
    expect(await localCopies(page)).toBe(copies);
    await page.unroute(states);
  }
  expect(await api.call(listEntries)).toHaveLength(2);
});

test('a recording without network is not disturbed, and catches up', async ({
  page,
  context,
  api,
  watch,
}) => {
  watch.allowConsole(/ERR_INTERNET_DISCONNECTED/);
  await recordBriefly(page);
  await context.setOffline(true);
  await expect(page.getByText(OFFLINE_MESSAGE)).toBeVisible({ timeout: 60_000 });
  await context.setOffline(false);
  await expect(page.getByText(SAVED)).toBeVisible();
  await stopRecording(page);
  await page.getByLabel('Title').fill('Caught up');
  await page.getByRole('button', { name: 'Upload Video' }).click();
  await page.waitForURL('/journals');
  expect((await api.call(planDetails)).videoCount).toBe(1);
});

test('the network may go just before the first part is sent', async ({ page, context, watch }) => {
  watch.allowConsole(/ERR_INTERNET_DISCONNECTED/);
  let gone = false;
  await page.route(/\/api\/v1\/entry\/[^/]+\/upload$/, async (route) => {
    if (gone) return route.continue();
    gone = true;
    const response = await route.fetch();
    await context.setOffline(true);
    await route.fulfill({ response });
  });
  await page.goto('/upload');
  await startRecording(page);
  await expect(page.getByText(OFFLINE_MESSAGE)).toBeVisible({ timeout: 60_000 });
  await context.setOffline(false);
  await expect(page.getByText(SAVED)).toBeVisible();
});

test('an answer that breaks off while a recording is sent is asked for again', async ({ page, api }) => {
  const parts = countParts(page);
  let cut = false;
  await page.route(/\/api\/v1\/entry\/[^/]+\/upload$/, (route) => {
    if (cut) return route.continue();
    cut = true;
    return route.fulfill({ contentType: 'application/json', body: '{"parts":[' });
  });
  await recordBriefly(page);
  await expect.poll(parts).toBeGreaterThan(0);
  await stopRecording(page);
  expect(cut).toBe(true);
  expect((await api.call(planDetails)).videoCount).toBe(1);
});

test('a recording that a reload has cut off goes on from the parts that were sent', async ({ page, api }) => {
  const parts = countParts(page);
  await recordBriefly(page);
  await expect.poll(parts).toBeGreaterThan(1);
  await confirmReload(page);
  await expect(savedHere(page)).toBeVisible();
  expect((await api.call(planDetails)).videoCount).toBe(1);
  await page.getByLabel('Title').fill('Gone on with');
  await page.getByRole('button', { name: 'Upload recovered recording' }).click();
  await page.waitForURL('/journals');
  const { videoCount, storageUse } = await api.call(planDetails);
  expect(videoCount).toBe(1);
  expect(parts()).toBeLessThanOrEqual(Math.ceil(storageUse / PART_BYTES) + 1);
});

test('a new recording gives up what was sent of the one before', async ({ page, api }) => {
  await recordBriefly(page);
  await stopRecording(page);
  expect((await api.call(planDetails)).videoCount).toBe(1);
  await startRecording(page);
  await expect.poll(async () => (await api.call(planDetails)).storageUse).toBe(0);
  await page.getByRole('button', { name: 'Stop Recording' }).click();
});

test('a full plan lets the recording go on, and says so', async ({ page, account, sql, watch }) => {
  watch.allowConsole(/status of 403/);
  await page.goto('/upload');
  const userId = await userIdOf(sql, account.email);
  await startRecording(page);
  await sql`insert into entries (id, user_id, title, date, file_name, content_type, bytes, video_status)
    values (gen_random_uuid(), ${userId}, 'Large', '2026-01-01', 'large.mp4', 'video/mp4', 5000000000, 'ready')`;
  await expect(page.getByText(/Your plan is full/)).toBeVisible({ timeout: 60_000 });
  await stopRecording(page);
  await page.getByLabel('Title').fill('Too much');
  await page.getByRole('button', { name: 'Upload Video' }).click();
  await expect(page.getByRole('alert').getByText("You have reached your plan's quota.")).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload Video' })).toBeEnabled();
});
