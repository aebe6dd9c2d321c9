import type { Page } from '@playwright/test';
import { getEntry } from '@/lib/journal/entries/contract';
import { listTags } from '@/lib/journal/tags/contract';
import { h264Mp4 } from '@/test/media/clips';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { pauseRequests } from './pause-requests';

/** Opens a page as it looks before any of its scripts has arrived. @returns lets them go */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  const release = await pauseRequests(page, '**/_next/static/**/*.js*');
  await page.goto(path, { waitUntil: 'commit' });
  return release;
}

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

test('a video, a title and a date that were given before the studio came alive are taken', async ({
  page,
}) => {
  const start = await openWithoutScripts(page, '/upload');
  await page.getByLabel('Title').fill('Early bird');
  await page.getByLabel('Date').fill('02/14/2026');
  await page.locator('input[type=file]').setInputFiles(await h264Mp4());
  start();
  await expect(page.getByRole('button', { name: 'Remove File' })).toBeVisible();
  await expect(page.getByText('h264.mp4')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Early bird');
  await expect(page.getByLabel('Date')).toHaveValue('02/14/2026');
  await page.getByRole('button', { name: 'Upload Video' }).click();
  await page.waitForURL('/journals');
  await expect(page.getByRole('link', { name: /Early bird/ }).first()).toBeVisible();
});

test('a video that was dropped before the studio came alive is taken', async ({ page, context }) => {
  const start = await openWithoutScripts(page, '/upload');
  const place = page.getByText('or drop one here');
  await expect(place).toBeVisible();
  const box = await place.boundingBox();
  if (!box) throw new Error('There is no place to drop a file.');
  const session = await context.newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [await h264Mp4()], dragOperationsMask: 1 },
    });
  }
  await expect
    .poll(() => page.locator('input[type=file]').evaluate((input: HTMLInputElement) => input.files?.length))
    .toBe(1);
  start();
  await expect(page.getByRole('button', { name: 'Remove File' })).toBeVisible();
});

test('a button that was pressed before its page came alive does what it says', async ({ page, guest }) => {
  const wake = await openWithoutScripts(page, '/upload');
  // What's there without scripts: the question and the form.
  await expect(page.getByRole('main').getByText(/^\D+\?$/)).toBeVisible();
  await expect(page.getByLabel('Title')).toBeVisible();
  await page.getByRole('button', { name: 'Start Recording' }).click();
  wake();
  await expect(page.getByRole('button', { name: 'Skip countdown' })).toBeVisible();

  const wakeGuest = await openWithoutScripts(guest, '/');
  await guest.getByRole('button', { name: 'Try it now' }).click();
  wakeGuest();
  await expect(guest.getByRole('button', { name: 'Stop Recording' })).toBeVisible({ timeout: 15_000 });
});

test('a note that was posted before its page came alive is, after what was left of the last one', async ({
  page,
  upload,
}) => {
  const { id } = await upload(await h264Mp4());
  const note = page.getByLabel('Additional notes');
  await page.goto(`/entry/${id}`);
  await note.fill('Left over.');
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Left over.');
  const start = await openWithoutScripts(page, `/entry/${id}`);
  await note.fill('Typed early.');
  await page.getByRole('button', { name: 'Post Note' }).click();
  await page.getByLabel('Attach at').check();
  await page.getByRole('combobox', { name: 'Add tag' }).fill('Fresh');
  start();
  await expect(page.getByRole('option', { name: 'Create “Fresh”' })).toBeVisible();
  const posted = page.getByRole('listitem').filter({ hasText: 'Typed early.' });
  await expect(posted).toContainText('Left over.');
  await expect(posted).toContainText('0:00');
  await expect(note).toHaveValue('');
});

test('a title and a date that were changed before the entry came alive are saved', async ({
  page,
  account,
  api,
  sql,
}) => {
  const id = await insertEntry(sql, await userIdOf(sql, account.email), { videoStatus: 'failed' });
  const start = await openWithoutScripts(page, `/entry/${id}`);
  await page.getByRole('textbox', { name: 'Title' }).fill('Renamed early');
  await page.getByRole('textbox', { name: 'Date' }).fill('02/14/2026');
  await page.getByRole('textbox', { name: 'Date' }).blur();
  start();
  await expect.poll(async () => (await api.call(getEntry, { params: { id } })).title).toBe('Renamed early');
  await expect
    .poll(async () => (await api.call(getEntry, { params: { id } })).date)
    .toEqual({ day: 14, month: 2, year: 2026 });
});

test('a search, a tag and a login that were typed early are not lost', async ({
  page,
  guest,
  account,
  api,
  sql,
}) => {
  await insertEntry(sql, await userIdOf(sql, account.email), { title: 'At the lighthouse' });
  let start = await openWithoutScripts(page, '/search');
  await page.getByRole('searchbox').fill('lighthouse');
  start();
  await expect(page.getByRole('link', { name: 'At the lighthouse' })).toBeVisible();

  await page.unrouteAll({ behavior: 'wait' });
  start = await openWithoutScripts(page, '/settings/tags');
  await page.getByLabel('Tag name').fill('Family');
  await page.getByRole('textbox', { name: 'New tag color', exact: true }).fill('#E07A5F');
  // It also presses the button, which does what it says once the scripts are there. That empties the fields.
  await page.getByLabel('Tag name').press('Enter');
  start();
  await expect
    .poll(async () => (await api.call(listTags)).categories.map((tag) => `${tag.name} ${tag.color}`))
    .toEqual(['Family #E07A5F']);
  await expect(page.getByLabel('Tag name')).toHaveValue('');

  start = await openWithoutScripts(guest, '/login?next=/journals');
  await guest.getByLabel('Email').fill(account.email);
  await guest.getByLabel('Password', { exact: true }).fill(account.password);
  await guest.getByLabel('Password', { exact: true }).press('Enter');
  start();
  const login = guest.getByRole('button', { name: 'Login' });
  await expect(async () => {
    // A login that took longer than the last attempt waited has led away from the button.
    if (await login.isVisible()) await login.click({ timeout: 5000 });
    await expect(guest).toHaveURL('/journals', { timeout: 5000 });
  }).toPass();
});
