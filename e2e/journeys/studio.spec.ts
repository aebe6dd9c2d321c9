import type { Page } from '@playwright/test';
import { planDetails } from '@/lib/billing/plans/contract';
import { listEntries } from '@/lib/journal/entries/contract';
import { h264Mp4 } from '@/test/media/clips';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { toast } from './entry-steps';
import { pauseRequests } from './pause-requests';
import { confirmReload, record, savedHere } from './recording-steps';
import { PRESIGNED_URL, refusePart } from './upload-steps';
import { expectPlays } from './video-assertions';

const file = (page: Page) => page.locator('input[type=file]');
const upload = (page: Page) => page.getByRole('button', { name: 'Upload Video' });
const today = () =>
  new Date().toLocaleDateString('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: 'UTC',
  });

/** Fills the studio in and chooses a video. */
async function fillForm(page: Page, title = 'A kept day'): Promise<void> {
  await page.goto('/upload');
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Date').fill('01/31/2026');
  await file(page).setInputFiles(await h264Mp4());
}

async function expectFormPreserved(page: Page, title = 'A kept day'): Promise<void> {
  await expect(page).toHaveURL('/upload');
  await expect(page.getByLabel('Title')).toHaveValue(title);
  await expect(page.getByLabel('Date')).toHaveValue('01/31/2026');
  await expect(page.getByText('h264.mp4')).toBeVisible();
  await expect(upload(page)).toBeEnabled();
}

test('begins with today, and refuses a blank title', async ({ page }) => {
  await page.goto('/upload');
  await expect(page.getByPlaceholder('Select a date in the past')).toHaveValue(today());
  await file(page).setInputFiles(await h264Mp4());
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  for (const blank of ['', '   ']) {
    await page.getByLabel('Title').fill(blank);
    await upload(page).click();
    await expect(page.getByLabel('Title')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Title')).toBeFocused();
    await expect(page.getByText('A title is required.')).toBeVisible();
  }
  expect(asked.filter((url) => PRESIGNED_URL.test(url))).toEqual([]);
});

test('refuses a date in the future, one too old and one that is none', async ({ page, api }) => {
  await fillForm(page);
  const now = new Date();
  for (const [date, sentence] of [
    [`01/01/${now.getUTCFullYear() + 1}`, 'Invalid date. Must be in the past 100 years.'],
    [`01/01/${now.getUTCFullYear() - 101}`, 'Invalid date. Must be in the past 100 years.'],
    ['02/30/2026', 'Invalid date. Must be in MM/DD/YYYY format.'],
    ['2026-01-31', 'Invalid date. Must be in MM/DD/YYYY format.'],
    ['', 'Invalid date. Must be in MM/DD/YYYY format.'],
  ] as const) {
    await page.getByLabel('Date').fill(date);
    await upload(page).click();
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(page.getByLabel('Date')).toHaveAttribute('aria-invalid', 'true');
  }
  expect((await api.call(planDetails)).videoCount).toBe(0);
});

test('picks a past day from the calendar, and none in the future', async ({ page }) => {
  await page.clock.setFixedTime('2026-03-15T12:00:00Z');
  await page.goto('/upload');
  await expect(page.getByLabel('Date')).toHaveValue('03/15/2026');
  await page.getByRole('button', { name: 'Open calendar' }).click();
  const month = page.getByRole('grid');
  await expect(month.getByRole('button', { name: /March 16/ })).toBeDisabled();
  await month
    .getByRole('button', { name: /March 3/ })
    .first()
    .click();
  await expect(page.getByLabel('Date')).toHaveValue('03/03/2026');
});

test('takes the first of the files dropped, and only videos', async ({ page }) => {
  await page.goto('/upload');
  await file(page).setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('no video'),
  });
  await expect(page.getByRole('alert').getByText('Please upload a video file.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove File' })).toHaveCount(0);

  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    for (const name of ['first.mp4', 'second.mp4']) {
      transfer.items.add(new File(['bytes'], name, { type: 'video/mp4' }));
    }
    return transfer;
  });
  await page.getByText('or drop one here').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.getByText('first.mp4')).toBeVisible();
  await expect(page.getByText('second.mp4')).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove File' }).click();
  await expect(page.getByText('first.mp4')).toHaveCount(0);
  await expect(page.getByText('Choose a video file')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start Recording' })).toBeVisible();
});

test('keeps everything when storage fails, and a retry makes one entry', async ({
  app,
  page,
  api,
  watch,
}) => {
  await fillForm(page);
  watch.allowConsole(/status of 403/);
  await page.route(`${app.addresses.storage}/**`, (route) => refusePart(route, 403, 'AccessDenied'));
  await upload(page).click();
  await expect(
    page.getByRole('alert').getByText('Failed uploading file. Ensure the file is actually a proper video.'),
  ).toBeVisible();
  const uploads = page.getByRole('region', { name: 'Uploads' });
  await expect(uploads.getByText(/^Storage refused this video\./)).toBeVisible();
  await expectFormPreserved(page);
  await page.unroute(`${app.addresses.storage}/**`);
  await page.getByLabel('Title').fill('A better title');
  await uploads.getByRole('button', { name: /^Try again/ }).click();
  await page.waitForURL('/journals');
  expect((await api.call(listEntries)).map(({ title }) => title)).toEqual(['A better title']);
  expect((await api.call(planDetails)).videoCount).toBe(1);
});

test('keeps everything when no address can be had', async ({ page, watch }) => {
  await fillForm(page);
  watch.allowConsole(/status of 503/);
  await page.route(PRESIGNED_URL, (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Storage is having a rest.' } }),
  );
  await upload(page).click();
  await expect(page.getByRole('alert').getByText('Storage is having a rest.')).toBeVisible();
  await expectFormPreserved(page);
});

test('says Network Error when nothing answers', async ({ page, watch }) => {
  await fillForm(page);
  watch.allowConsole(/net::ERR_FAILED/);
  await page.route(PRESIGNED_URL, (route) => route.abort());
  await upload(page).click();
  await expect(page.getByRole('alert').getByText('Network Error')).toBeVisible();
  await expect(page.getByText('No connection. Check your network, then try again.')).toBeVisible();
  await expectFormPreserved(page);
});

test('goes to the journal even when completing fails', async ({ page, watch }) => {
  await fillForm(page);
  watch.allowConsole(/status of 500/);
  await page.route('**/upload/complete', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'It could not be noted.' } }),
  );
  await upload(page).click();
  await page.waitForURL('/journals');
  await expect(page.getByRole('alert').getByText('It could not be noted.')).toBeVisible();
});

test('records anew in place of a recording', async ({ page }) => {
  await page.goto('/upload');
  await record(page);
  const first = await page.getByLabel('Recorded video').getAttribute('src');
  await record(page);
  const second = page.getByLabel('Recorded video');
  expect(await second.getAttribute('src')).not.toBe(first);
  await expectPlays(second);
});

test('offers a recording again after a reload', async ({ page, api }) => {
  await page.goto('/upload');
  await record(page);
  await confirmReload(page);
  await expect(savedHere(page)).toBeVisible();
  await expectPlays(page.getByLabel('Recovered recording'));

  const other = await page.context().newPage();
  await other.goto('/upload');
  const release = await pauseRequests(page, '**/api/v1/**');
  const elsewhere = '“A recovered day” is already uploading in another tab.';
  for (const tab of [page, other]) {
    await tab.bringToFront();
    await tab.getByLabel('Title').fill('A recovered day');
  }
  await page.bringToFront();
  // Once is meant by a double click.
  await page.getByRole('button', { name: 'Upload recovered recording' }).dblclick();
  // In the background, because a tab that comes to the front looks again for what there is to recover.
  await other.getByRole('button', { name: 'Upload recovered recording' }).dispatchEvent('click');
  await expect(toast(other, elsewhere)).toBeVisible();
  await expect(toast(page, elsewhere)).toHaveCount(0);
  await other.close();
  release();
  await page.waitForURL('/journals');
  expect((await api.call(listEntries)).map(({ title }) => title)).toEqual(['A recovered day']);
  await page.goto('/upload');
  await expect(page.getByRole('button', { name: 'Start Recording' })).toBeVisible();
  await expect(savedHere(page)).toHaveCount(0);
});

test('says that the quota is reached', async ({ page, account, sql }) => {
  const userId = await userIdOf(sql, account.email);
  for (let taken = 0; taken < 30; taken += 1) await insertEntry(sql, userId);
  await page.goto('/upload');
  await expect(page.getByText("You have reached your plan's quota.")).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start Recording' })).toHaveCount(0);
  await expect(file(page)).toHaveCount(0);
});
