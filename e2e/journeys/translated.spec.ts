import { getEntry } from '@/lib/journal/entries/contract';
import { h264Mp4 } from '@/test/media/clips';
import { expect, test } from '../fixtures';
import { insertTranscript } from './entry-steps';
import { openPlayer, stateOf } from './player-steps';
import { recordFor, startRecording, stopRecording } from './recording-steps';

test.use({ translated: true });

test('a translated page lets somebody try again after a wrong password', async ({ guest: page, watch }) => {
  watch.allowConsole(/status of 401/);
  await page.goto('/login');
  await expect(page.locator('h1 font')).not.toHaveCount(0);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'password' }).first()).toBeVisible();
  }
});

test('a translated page records, and uploads', async ({ page }) => {
  await page.goto('/upload');
  await expect(page.locator('button font').first()).toBeVisible();
  await startRecording(page);
  await recordFor(page, 2);
  await stopRecording(page);
  await page.getByLabel('Title').fill('A translated day');
  await page.getByRole('button', { name: 'Upload Video' }).click();
  await page.goto('/journals');
  await expect(page.getByRole('link', { name: 'A translated day' }).first()).toBeVisible();
});

test('words of a translated transcript play from their moments, and are marked', async ({
  page,
  api,
  upload,
  sql,
}) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  await insertTranscript(sql, id);
  const video = await openPlayer(page, `/entry/${id}`);
  const words = page.getByRole('group', { name: 'Transcript words' });
  const word = words.locator('p > span', { hasText: 'laughed.' });
  await expect(word.locator('font font')).toBeVisible();
  await word.locator('font font').click();
  await expect.poll(async () => (await stateOf(video)).time).toBeGreaterThan(2);
  await expect(words.locator('.now')).toHaveText('laughed.');

  await page.getByLabel('Additional notes').fill('A translated note');
  await page.getByRole('button', { name: 'Post Note' }).click();
  await expect(page.getByText('A translated note')).toBeVisible();
  await expect.poll(async () => (await api.call(getEntry, { params: { id } })).notes).toHaveLength(1);
});
