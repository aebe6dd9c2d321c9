import { waitForProcessing } from '@/e2e/client';
import { insertEntry, userIdOf } from '@/e2e/database';
import { expect, test } from '@/e2e/fixtures';
import { noAudioMp4 } from '@/test/media/clips';

test('a failed video is processed again', async ({ page, api, sql, upload }) => {
  const { id } = await upload(await noAudioMp4(), { title: 'A walk' });
  await sql`update entries set video_status = 'failed', video_key = null, video_error = 'It didn’t work.' where id = ${id}`;
  await page.goto(`/entry/${id}`);
  await expect(page.getByRole('alert').filter({ hasText: 'It didn’t work.' })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('video')).toBeVisible({ timeout: 60_000 });
  expect(await waitForProcessing(api, id)).toMatchObject({ videoStatus: 'ready', videoError: null });
});

test('a video of which only a first copy plays can be processed again', async ({
  page,
  api,
  sql,
  upload,
}) => {
  const { id } = await upload(await noAudioMp4(), { title: 'A walk' });
  await sql`update entries set video_status = 'failed', video_error = 'It didn’t work.' where id = ${id}`;
  await page.goto(`/entry/${id}`);
  await expect(page.locator('video')).toBeVisible();
  const notice = page.getByRole('status').filter({ hasText: 'it may not play in every browser' });
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(notice).toBeHidden();
  await expect.poll(async () => (await waitForProcessing(api, id)).videoStatus).toBe('ready');
});

test('a failed video whose upload is gone says so', async ({ page, account, sql, watch }) => {
  watch.allowConsole(/status of 409/);
  const failed = { videoStatus: 'failed', videoError: 'It didn’t work.' } as const;
  const id = await insertEntry(sql, await userIdOf(sql, account.email), failed);
  await page.goto(`/entry/${id}`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('We no longer have this video. Upload it again.')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'It didn’t work.' })).toBeVisible();
});
