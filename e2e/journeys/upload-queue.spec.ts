import { readFile } from 'node:fs/promises';
import { planDetails } from '@/lib/billing/plans/contract';
import { listEntries } from '@/lib/journal/entries/contract';
import { h264Mov, h264Mp4 } from '@/test/media/clips';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { pauseRequests } from './pause-requests';
import { PRESIGNED_URL } from './upload-steps';

test('several files go one after the other, each with its own title and date', async ({
  page,
  api,
  watch,
}) => {
  watch.allowConsole(/status of 500/);
  const [mov, mp4] = [await readFile(await h264Mov()), await h264Mp4()];
  await page.goto('/upload');
  await page.getByLabel('Title').fill('The first');
  await page.getByLabel('Date').fill('01/31/2026');
  await page.locator('input[type=file]').first().setInputFiles(mp4);
  await page.getByLabel('Add more files').setInputFiles([
    { name: 'VID_20240131_120000.mov', mimeType: 'video/quicktime', buffer: mov },
    { name: 'first_steps.mp4', mimeType: '', buffer: await readFile(mp4) },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no video') },
  ]);
  await expect(page.getByRole('alert').getByText('Please upload a video file.')).toBeVisible();

  const [named, steps] = [
    page.getByRole('group', { name: 'VID_20240131_120000.mov' }),
    page.getByRole('group', { name: 'first_steps.mp4' }),
  ];
  await expect(named.getByLabel('Title')).toHaveValue('Video from January 31, 2024');
  await expect(named.getByLabel('Date')).toHaveValue('01/31/2024');
  await expect(steps.getByLabel('Title')).toHaveValue('First steps');
  // The day that the file itself has in its header.
  await expect(steps.getByLabel('Date')).toHaveValue('03/01/2026');
  await named.getByLabel('Title').fill('Sledging');
  await steps.getByLabel('Date').fill('03/02/2026');

  await page.route(PRESIGNED_URL, (route) =>
    new URL(route.request().url()).searchParams.get('title') === 'Sledging'
      ? route.fulfill({ status: 500, json: { code: 'internal', message: 'Something went wrong.' } })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Upload Video' }).click();
  const uploads = page.getByRole('region', { name: 'Uploads' });
  await expect(uploads.getByText('Something went wrong.')).toBeVisible();
  await expect(uploads.getByText('Uploaded', { exact: true })).toHaveCount(2);
  await expect(page).toHaveURL('/upload');
  await page.unroute(PRESIGNED_URL);
  await uploads.getByRole('button', { name: 'Try again: Sledging' }).click();
  await page.waitForURL('/journals');
  const entries = await api.call(listEntries);
  expect(entries.map(({ title, date }) => [title, date.day, date.month, date.year])).toEqual([
    ['First steps', 2, 3, 2026],
    ['The first', 31, 1, 2026],
    ['Sledging', 31, 1, 2024],
  ]);
  expect((await api.call(planDetails)).videoCount).toBe(3);
});

test('judges a file by its content, and offers the day that it tells', async ({ page }) => {
  const video = await readFile(await h264Mp4());
  const file = page.locator('input[type=file]').first();
  await page.goto('/upload');
  await file.setInputFiles({
    name: 'clip.mp4',
    mimeType: 'video/mp4',
    buffer: Buffer.from('%PDF-1.7 no video'),
  });
  await expect(page.getByRole('alert').getByText('Please upload a video file.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove File' })).toHaveCount(0);
  await file.setInputFiles({ name: 'export', mimeType: 'application/octet-stream', buffer: video });
  await expect(page.getByRole('button', { name: 'Remove File' })).toBeVisible();
  await expect(page.getByLabel('Date')).toHaveValue('03/01/2026');
});

test('what is typed survives a reload and a login, in this tab', async ({ page, context, account }) => {
  await page.goto('/upload');
  await page.getByLabel('Title').fill('Half written');
  await page.getByLabel('Date').fill('02/14/2026');
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue('Half written');
  await context.clearCookies();
  await page.goto('/upload');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Half written');
  await expect(page.getByLabel('Date')).toHaveValue('02/14/2026');
});

test('the queue is accessible before and while it is sent, in every theme and width', async ({ page }) => {
  const mp4 = await h264Mp4();
  await page.goto('/upload');
  await page.getByLabel('Title').fill('The first');
  await page.locator('input[type=file]').first().setInputFiles(mp4);
  await page.getByLabel('Add more files').setInputFiles([mp4]);
  await expect(page.getByRole('group', { name: 'h264.mp4' })).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  const release = await pauseRequests(page, PRESIGNED_URL);
  await page.getByRole('button', { name: 'Upload Video' }).click();
  await expect(page.getByText('Uploading...')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('link', { name: 'Journal', exact: true }).click();
  await expect(page.getByRole('link', { name: /^Uploading 2 videos/ })).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  release();
  await expect(page.getByText('“The first” finished uploading.')).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
});
