import { expect, type Page } from '@playwright/test';
import { listEntries } from '@/lib/journal/entries/contract';
import { shortSpeech } from '@/test/media/clips';
import { type Account, signUp } from './accounts';
import { waitForProcessing } from './client';
import { startRecording } from './journeys/recording-steps';
import { largeVideo, PRESIGNED_URL } from './journeys/upload-steps';
import { openMailbox } from './mailbox';
import { test } from './own-copy';

test.setTimeout(300_000);

async function openStudio(page: Page, site: string, { api }: Account): Promise<void> {
  const { hostname } = new URL(site);
  const cookies = [...api.cookies].map(([name, value]) => ({ name, value, domain: hostname, path: '/' }));
  await page.context().addCookies(cookies);
  await page.goto(`${site}/upload`);
}

test('a host with limits says so, sends no file over them, and stops a recording in time', async ({
  own,
  page,
}) => {
  const app = await own.start({ JOB_MAX_BYTES: '9000000', JOB_MAX_SECONDS: '10' });
  const account = await signUp(app.url, openMailbox(app));
  const opened: string[] = [];
  page.on('request', (request) => {
    if (PRESIGNED_URL.test(request.url())) opened.push(request.url());
  });
  await openStudio(page, app.url, account);
  await expect(page.getByText('Videos can be up to 10 seconds long and 9 MB.')).toBeVisible();

  const file = page.locator('input[type=file]').first();
  await file.setInputFiles((await largeVideo(9_000_001)).path);
  await expect(page.getByText('This file is too large. Videos can be up to 9 MB.')).toBeVisible();
  await file.setInputFiles(await shortSpeech());
  await expect(page.getByText('This video is too long. Videos can be up to 10 seconds.')).toBeVisible();
  await expect(page.getByText('Choose a video file')).toBeVisible();
  expect(opened).toEqual([]);

  await startRecording(page);
  await expect(page.getByText('Videos can be up to 10 seconds here, so recording stopped.')).toBeVisible();
  await page.getByLabel('Title').fill('Short');
  await page.getByRole('button', { name: 'Upload Video' }).click();
  const entries = () => account.api.call(listEntries);
  await expect.poll(async () => (await entries()).length, { timeout: 60_000 }).toBe(1);
  const [entry] = await entries();
  expect(await waitForProcessing(account.api, entry?.id ?? '')).toMatchObject({ videoStatus: 'ready' });
});
