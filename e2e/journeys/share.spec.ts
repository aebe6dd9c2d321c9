import { stat } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { listEntries } from '@/lib/journal/entries/contract';
import { expect, test } from '../fixtures';
import { findInBrowserStorage } from './browser-storage';
import { button } from './recording-steps';
import { clipNamed, limitStorage, SHARE_GONE, shareFrom, shareQuestion } from './share-steps';
import { largeVideo, MEGABYTE, startUpload, throttleNetwork, waitForStoredFile } from './upload-steps';

const removeFile = (page: Page) => button(page, 'Remove File');

test('a video that another app shares is chosen once the user says so, and until it’s uploaded', async ({
  page,
  api,
}, info) => {
  const path = await clipNamed(info.outputPath('market.mp4'));
  await page.goto('/journals');
  const { status, address } = await shareFrom(page, { paths: [path], title: 'Sunday market' });
  expect(status).toBe(303);
  expect(address).toMatch(/^\/upload\?shared=[0-9a-f-]{36}$/);
  await page.goto(address);
  const { size } = await stat(path);
  await expect(shareQuestion(page)).toContainText('Another app sent this video. Add it to your journal?');
  await expect(shareQuestion(page)).toContainText(`market.mp4${formatBytes(size)}`);
  await page.reload();
  await expect(shareQuestion(page)).toBeVisible();
  await expect(removeFile(page)).toHaveCount(0);
  await expect(page.getByLabel('Title')).toHaveValue('');
  await button(page, 'Add it').click();
  await expect(removeFile(page)).toBeVisible();
  await expect(shareQuestion(page)).toHaveCount(0);
  await expect(page.getByLabel('Title')).toHaveValue('Sunday market');
  await page.reload();
  await expect(removeFile(page)).toBeVisible();
  await expect(page.getByText('market.mp4')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Sunday market');
  await page.getByLabel('Title').fill('At the market');
  await page.reload();
  await expect(page.getByText('market.mp4')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('At the market');

  await button(page, 'Upload Video').click();
  await page.waitForURL('/journals');
  expect((await api.call(listEntries)).map(({ title }) => title)).toEqual(['At the market']);
  expect(await findInBrowserStorage(page, ['market.mp4', 'Sunday market'])).toEqual([]);
  await page.goto(address);
  await expect(page.getByRole('alert').filter({ hasText: SHARE_GONE })).toBeVisible();
  await expect(page).toHaveURL('/upload');
});

test('several shared videos are chosen at once, and removing them deletes them', async ({ page }, info) => {
  const paths = await Promise.all(['one.mp4', 'two.mp4'].map((name) => clipNamed(info.outputPath(name))));
  await page.goto('/journals');
  const { address } = await shareFrom(page, { paths, text: 'From the lake\nhttps://example.com' });
  await page.goto(address);
  await expect(shareQuestion(page)).toContainText('Another app sent 2 videos. Add them to your journal?');
  await button(page, 'Add them').click();
  await expect(page.getByText('one.mp4')).toBeVisible();
  await expect(page.getByLabel('Title').first()).toHaveValue('From the lake');
  await button(page, 'Remove two.mp4').click();
  await expect.poll(() => findInBrowserStorage(page, ['one.mp4', 'two.mp4'])).toEqual(['one.mp4']);
  await page.reload();
  await removeFile(page).click();
  await expect.poll(() => findInBrowserStorage(page, ['one.mp4', 'two.mp4'])).toEqual([]);
  await expect(page).toHaveURL('/upload');
});

test('a video that’s shared during an upload is still there when that has finished', async ({
  page,
  api,
}, info) => {
  const path = await clipNamed(info.outputPath('later.mp4'));
  const { path: first } = await largeVideo(10 * MEGABYTE);
  await page.goto('/upload');
  await throttleNetwork(page, MEGABYTE);
  await startUpload(page, first, 'First');
  await waitForStoredFile(page);
  const { address } = await shareFrom(page, { paths: [path], title: 'Second' });
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(address);
  await expect(shareQuestion(page)).toContainText('later.mp4');
  await expect(page.getByText('Uploading...')).toBeVisible();
  await expect(shareQuestion(page)).toContainText('You can add it when your upload has finished.');
  await expect(page.getByText('Uploading...')).toHaveCount(0, { timeout: 60_000 });
  await page.getByLabel('Title').fill('Typed meanwhile');
  await button(page, 'Add it').click();
  await expect(removeFile(page)).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Typed meanwhile');
  await button(page, 'Upload Video').click();
  await page.waitForURL('/journals');
  const titles = (await api.call(listEntries)).map(({ title }) => title);
  expect(titles.sort()).toEqual(['First', 'Typed meanwhile']);
});

test('a share without a video, or on a full device, is explained once', async ({ page }) => {
  await page.goto('/journals');
  const none = await shareFrom(page, { text: 'https://example.com' });
  expect(none).toEqual({ status: 303, address: '/upload?shared=none' });

  const { path } = await largeVideo(8 * MEGABYTE);
  const session = await limitStorage(page, MEGABYTE);
  const full = await shareFrom(page, { paths: [path] });
  expect(full).toEqual({ status: 303, address: '/upload?shared=full' });
  await session.detach();

  for (const { address, message } of [
    { ...none, message: /didn’t send a video/ },
    { ...full, message: /doesn’t have enough space/ },
  ]) {
    await page.goto(address);
    const notice = page.getByRole('alert').filter({ hasText: message });
    await expect(notice).toBeVisible();
    await expect(page).toHaveURL('/upload');
    await page.reload();
    await expect(button(page, 'Start Recording')).toBeVisible();
    await expect(notice).toHaveCount(0);
  }
});

test('without a service worker, the studio asks for the file, also after a login', async ({
  anonymous,
  guest,
  account,
}) => {
  const body = new FormData();
  body.set('video', new File(['not read'], 'day.mp4', { type: 'video/mp4' }));
  const answer = await anonymous.send('POST', '/share', { body });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/upload?shared=missing']);

  await guest.goto('/upload?shared=missing');
  await guest.getByLabel('Email').fill(account.email);
  await guest.getByLabel('Password', { exact: true }).fill(account.password);
  await button(guest, 'Login').click();
  await expect(guest.getByRole('alert').filter({ hasText: 'Choose the file here instead.' })).toBeVisible();
  await guest.goto('/share');
  await expect(guest).toHaveURL('/upload');
});

test('a shared video belongs to the account that opens it, and logging out deletes it', async ({
  page,
  account,
  newAccount,
  signIn,
}, info) => {
  const path = await clipNamed(info.outputPath('diary.mp4'));
  await page.goto('/journals');
  const { address } = await shareFrom(page, { paths: [path] });
  await page.goto(address);
  await expect(shareQuestion(page)).toContainText('diary.mp4');
  await signIn(page, await newAccount());
  await page.goto(address);
  await expect(page.getByRole('alert').filter({ hasText: SHARE_GONE })).toBeVisible();
  await expect(page.getByText('diary.mp4')).toHaveCount(0);

  await signIn(page, account);
  await page.goto(address);
  await expect(shareQuestion(page)).toContainText('diary.mp4');
  await page.goto('/settings');
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  expect(await findInBrowserStorage(page, ['diary.mp4'])).toEqual([]);
});
