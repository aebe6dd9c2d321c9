import type postgres from 'postgres';
import { expectError } from '@/e2e/api/response-assertions';
import { getEntry } from '@/lib/journal/entries/contract';
import { getVideo } from '@/lib/journal/entries/media-contract';
import { h264Mp4 } from '@/test/media/clips';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAdvances, listenForSeek } from './video-assertions';

const WORDS: [string, number, number][] = [
  ['first', 0.2, 0.5],
  ['second', 0.8, 1.2],
  ['third', 1.5, 1.9],
  ['fourth', 2.4, 2.9],
];

async function insertTranscript(sql: postgres.Sql, id: string): Promise<void> {
  await sql`insert into transcripts (entry_id, revision, words) values (${id}, 0, ${sql.json(WORDS)})`;
  await sql`update entries set transcript_status = 'completed' where id = ${id}`;
}

test('is deleted after asking, and its old addresses find nothing', async ({ page, api, upload, watch }) => {
  watch.allowConsole(/status of 404/);
  const { id, title } = await upload(await h264Mp4(), { title: 'A day to forget' });
  const address = `/entry/${id}/${encodeURIComponent(title)}`;
  await page.goto(address);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this entry?' });
  await expect(dialog).toContainText(title);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(address);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('/journals');
  await expect(page.getByText('Your journal is empty.')).toBeVisible();
  await expect(page.getByText(title)).toHaveCount(0);

  for (const old of [address, `/entry/${id}`]) {
    expect((await page.goto(old))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'We can’t find that page' })).toBeVisible();
  }
  for (const operation of [getEntry, getVideo]) {
    await expectError(await api.sendOperation(operation, { params: { id } }), 'not_found');
  }
});

test('of somebody else is like one that does not exist', async ({ page, newAccount, sql, watch }) => {
  watch.allowConsole(/status of 404/);
  const other = await newAccount();
  const id = await insertEntry(sql, await userIdOf(sql, other.email), { title: 'Private' });
  expect((await page.goto(`/entry/${id}/Private`))?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'We can’t find that page' })).toBeVisible();
  await expect(page.getByText('Private')).toHaveCount(0);
});

test('says that it is processing, then why it failed, without a reload', async ({ page, account, sql }) => {
  const userId = await userIdOf(sql, account.email);
  const id = await insertEntry(sql, userId, { videoStatus: 'processing' });
  await page.goto(`/entry/${id}`);
  await expect(page.getByText('Processing your recent upload. Please wait momentarily.')).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);
  await sql`update entries set video_status = 'failed', video_error = 'This is no video.' where id = ${id}`;
  await expect(page.getByText('This is no video.')).toBeVisible();
});

test('says that its words are still being made, and retries when they could not be', async ({
  page,
  upload,
  sql,
}) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  await sql`update entries set transcript_status = 'processing' where id = ${id}`;
  await page.goto(`/entry/${id}`);
  await expect(
    page.getByText('Transcription is still processing... Try again in a few moments'),
  ).toBeVisible();
  await sql`update entries set transcript_status = 'failed', transcript_error = 'Nobody listened.' where id = ${id}`;
  await expect(page.getByText('Nobody listened.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('We couldn’t hear any words in this video.')).toBeVisible({ timeout: 60_000 });
});

test('is read and steered by the keyboard', async ({ page, upload, sql }) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  await insertTranscript(sql, id);
  await page.goto(`/entry/${id}`);
  const words = page.getByRole('group', { name: 'Transcript words' });
  const video = page.locator('video');
  const current = () =>
    words.evaluate((group) => {
      const of = group.getAttribute('aria-activedescendant');
      return of ? document.getElementById(of)?.textContent?.trim() : null;
    });
  // Before its length is known, a video takes a moment as where to begin, and tells of no seek.
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState))
    .toBeGreaterThanOrEqual(1);
  await words.focus();
  for (const [key, word] of [
    ['ArrowRight', 'first'],
    ['ArrowRight', 'second'],
    ['End', 'fourth'],
    ['ArrowLeft', 'third'],
    ['Home', 'first'],
    ['ArrowRight', 'second'],
    ['ArrowRight', 'third'],
  ]) {
    await words.press(key ?? '');
    expect(await current(), key).toBe(word);
  }
  const arrived = await listenForSeek(video);
  await words.press('Enter');
  expect(Math.abs((await arrived()) - 1.5)).toBeLessThanOrEqual(0.3);
  await expectAdvances(video);
  await expect(words.locator('span.now')).toHaveText('fourth');
});

test('opens at the moment that its address names', async ({ page, upload, sql }) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  await insertTranscript(sql, id);
  await page.goto(`/entry/${id}?t=2.5`);
  const video = page.locator('video');
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState))
    .toBeGreaterThanOrEqual(2);
  const time = await video.evaluate((element: HTMLVideoElement) => element.currentTime);
  expect(Math.abs(time - 2.5)).toBeLessThanOrEqual(0.3);
  await expect(page.locator('span.now')).toHaveText('fourth');
});
