import type { Page } from '@playwright/test';
import { planDetails } from '@/lib/billing/plans/contract';
import { listEntries } from '@/lib/journal/entries/contract';
import { postNote } from '@/lib/journal/notes/contract';
import { h264Mp4 } from '@/test/media/clips';
import { userIdOf } from '../database';
import { test as base, expect } from '../fixtures';
import { findInBrowserStorage, readBrowserStorage } from './browser-storage';
import { insertTranscript } from './entry-steps';
import { record, savedHere } from './recording-steps';
import { largeVideo, MEGABYTE, startUpload, throttleNetwork, waitForStoredFile } from './upload-steps';

const SEARCH = 'violet lanterns';

const test = base.extend<{ /** The id of an entry with a transcript. */ entryId: string }>({
  entryId: async ({ upload, sql }, use) => {
    // Only searches that find something are remembered.
    const { id } = await upload(await h264Mp4(), { title: SEARCH, wait: 'transcript' });
    await insertTranscript(sql, id);
    await use(id);
  },
});

const NOTE = 'a note about marmalade';
const CORRECTION = 'I called Ophelia';
const TITLE = 'Thursday at the observatory';
const PHRASES = [SEARCH, NOTE, CORRECTION, TITLE];

/** Leaves something unfinished in everything that remembers what is typed. */
async function typeEverywhere(page: Page, entryId: string): Promise<void> {
  await page.goto('/search');
  await page.getByRole('searchbox').fill(SEARCH);
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/query=violet/);
  await expect(page.getByRole('search').getByRole('status')).toHaveText('1 entry');
  await page.goto(`/entry/${entryId}`);
  await page.getByLabel('Additional notes').fill(NOTE);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Transcript text').fill(CORRECTION);
  await page.goto('/upload');
  await page.getByLabel('Title').fill(TITLE);
  await expect.poll(() => findInBrowserStorage(page, PHRASES)).toEqual(PHRASES);
}

async function pressLogout(page: Page): Promise<void> {
  await page.goto('/settings');
  await page.getByRole('link', { name: 'Logout' }).click();
}

async function logOut(page: Page): Promise<void> {
  await pressLogout(page);
  await expect(page).toHaveURL('/login');
}

test('logging out leaves nothing of an account in the browser but a recording, which is there again later', async ({
  page,
  account,
  newAccount,
  signIn,
  sql,
  entryId,
}) => {
  const [id, other] = [await userIdOf(sql, account.email), await newAccount()];
  await page.goto('/upload');
  await record(page);
  await page.getByRole('link', { name: 'Journal', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'My Journal Entries' })).toBeVisible();
  await typeEverywhere(page, entryId);
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue(TITLE);
  await expect(savedHere(page)).toBeVisible();

  await pressLogout(page);
  await expect(page.getByText('A recording on this device isn’t uploaded yet')).toBeVisible();
  await page.getByRole('link', { name: 'Stay and upload' }).click();
  await expect(savedHere(page)).toBeVisible();
  await pressLogout(page);
  await page.getByRole('button', { name: 'Log out and leave it here' }).click();
  await expect(page).toHaveURL('/login');
  expect(await findInBrowserStorage(page, PHRASES)).toEqual([]);
  expect(
    (await readBrowserStorage(page)).split(id),
    'the recording names its owner, and nothing else does',
  ).toHaveLength(2);

  await signIn(page, other);
  await page.goto('/upload');
  await expect(page.getByRole('button', { name: 'Start Recording' })).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('');
  await expect(savedHere(page)).toHaveCount(0);
  await page.goto('/search');
  await expect(page.getByRole('searchbox')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Recent searches' })).toHaveCount(0);
  expect(await findInBrowserStorage(page, PHRASES)).toEqual([]);
  expect(await other.api.call(listEntries)).toEqual([]);
  await logOut(page);

  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Total Entries: 1')).toBeVisible();
  await page.goto('/upload');
  await expect(savedHere(page)).toBeVisible();

  await pressLogout(page);
  await page.getByRole('button', { name: 'Delete it and log out' }).click();
  await expect(page).toHaveURL('/login');
  expect(await findInBrowserStorage(page, [id])).toEqual([]);
});

test('logging out deletes a recording that was just discarded', async ({ page, account, sql }) => {
  const id = await userIdOf(sql, account.email);
  await page.goto('/upload');
  await record(page);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('Recording discarded.')).toBeVisible();
  expect(await findInBrowserStorage(page, [id])).toEqual([id]);
  await logOut(page);
  expect(await findInBrowserStorage(page, [id])).toEqual([]);
});

test('logging out in another tab empties this one, which then stores nothing more', async ({
  page,
  context,
  entryId,
}) => {
  await typeEverywhere(page, entryId);
  const tab = await context.newPage();
  await tab.goto('/upload');
  await tab.getByLabel('Title').fill('In the other tab');
  await logOut(page);
  await expect.poll(() => findInBrowserStorage(tab, [...PHRASES, 'In the other tab'])).toEqual([]);
  await tab.getByLabel('Title').fill('Typed too late');
  expect(await findInBrowserStorage(tab, ['Typed too late'])).toEqual([]);
});

test('a session that was ended elsewhere takes what was typed with it at the next page', async ({
  page,
  account,
  entryId,
}) => {
  await typeEverywhere(page, entryId);
  await account.api.send('GET', '/api/v1/logout');
  await page.goto('/');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Login' })).toBeVisible();
  await expect.poll(() => findInBrowserStorage(page, PHRASES)).toEqual([]);
});

test('a different account takes the place of one that never logged out', async ({
  page,
  newAccount,
  signIn,
  entryId,
}) => {
  await typeEverywhere(page, entryId);
  await signIn(page, await newAccount());
  await page.goto('/search');
  await expect.poll(() => findInBrowserStorage(page, PHRASES)).toEqual([]);
});

test('what earlier versions stored goes at the first page, and settings of the device stay', async ({
  page,
}) => {
  await page.goto('/upload');
  await expect(page.getByRole('button', { name: 'Start Recording' })).toBeVisible();
  const entry = crypto.randomUUID();
  await page.evaluate((id) => {
    localStorage.setItem('daylight.searches', '["violet lanterns"]');
    localStorage.setItem(`daylight-note-${id}`, 'a note about marmalade');
    localStorage.setItem(`daylight-transcript-${id}`, '{"revision":0,"text":"I called Ophelia"}');
    localStorage.setItem(`daylight-moment-${id}`, '61.5');
    localStorage.setItem('daylight-countdown', 'off');
    sessionStorage.setItem(`daylight-upload-${id}`, '{"title":"Thursday at the observatory"}');
  }, entry);
  await page.goto('/journals');
  await expect.poll(() => findInBrowserStorage(page, [...PHRASES, entry])).toEqual([]);
  expect(await readBrowserStorage(page)).toContain('"daylight-countdown":"off"');
});

test('a draft is there for 30 days', async ({ page, entryId }) => {
  const note = page.getByLabel('Additional notes');
  const age = (days: number) =>
    page.evaluate((by) => {
      for (const key of Object.keys(localStorage).filter((name) => name.includes(':note:'))) {
        const stored = JSON.parse(localStorage.getItem(key) ?? '');
        stored.savedAt -= by;
        localStorage.setItem(key, JSON.stringify(stored));
      }
    }, days * 86_400_000);
  await page.goto(`/entry/${entryId}`);
  await note.fill(NOTE);
  await age(29);
  await page.reload();
  await expect(note).toHaveValue(NOTE);
  await age(2);
  await page.goto('/journals');
  await expect.poll(() => findInBrowserStorage(page, [NOTE])).toEqual([]);
});

test('logging out asks before it cancels an upload, and then forgets its file', async ({ page }) => {
  const video = await largeVideo(30 * MEGABYTE);
  await page.goto('/upload');
  await throttleNetwork(page, MEGABYTE);
  await startUpload(page, video.path, TITLE);
  await waitForStoredFile(page);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page.getByText('An upload isn’t finished')).toBeVisible();
  await page.getByRole('link', { name: 'Keep uploading' }).click();
  await expect(page.getByText('Uploading...')).toBeVisible();
  await page.goBack();
  const done = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('button', { name: 'Cancel upload and log out' }).click();
  expect((await done).status()).toBe(200);
  await expect(page).toHaveURL('/login');
  expect(await findInBrowserStorage(page, [TITLE, 'holiday.mp4'])).toEqual([]);
});

test("a page of one account can't act for another that has logged in since", async ({
  page,
  account,
  newAccount,
  signIn,
  watch,
}) => {
  watch.allowConsole(/status of 409/);
  const other = await newAccount();
  await page.goto('/upload');
  await page.getByLabel('Title').fill(TITLE);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await h264Mp4());
  await expect(page.getByRole('button', { name: 'Remove File' })).toBeVisible();
  await signIn(page, other);
  await page.getByRole('button', { name: 'Upload Video' }).click();
  const refusal = 'You’re logged in to a different account now. Reload the page to continue.';
  await expect(page.getByRole('alert').getByText(refusal)).toBeVisible();
  for (const { api } of [account, other]) expect((await api.call(planDetails)).videoCount).toBe(0);

  const asked = await account.api.sendOperation(
    postNote,
    { params: { id: crypto.randomUUID() }, body: { text: 'x' } },
    { 'x-account-id': crypto.randomUUID() },
  );
  expect([asked.status, (await asked.json()).code]).toEqual([409, 'conflict']);
});
