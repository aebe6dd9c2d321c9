import type { Page } from 'playwright';
import { expect } from 'vitest';
import { waitUntil } from '@/local/up/processes';

/** Who makes the first account in the guides' tests. */
export const FIRST_PERSON = { email: 'ada@example.com', password: 'the analytical engine weaves' };

/** Makes the first account of a new site, with the setup code that the migration printed. */
export async function makeFirstAccount(page: Page, site: string, code: string): Promise<void> {
  await page.goto(`${site}/setup`);
  await page.getByRole('textbox', { name: 'Setup code' }).fill(code);
  await page.getByRole('button', { name: 'Check code' }).click();
  await page.getByText('That’s the one.').waitFor();
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Byron');
  await page.getByLabel('Email').fill(FIRST_PERSON.email);
  await page.getByLabel('Password', { exact: true }).fill(FIRST_PERSON.password);
  await page.getByRole('button', { name: 'Open Daylight' }).click();
  await page.getByText('Total Entries: 0').waitFor();
}

/** Records an entry of some seconds with the browser's camera, and uploads it. */
export async function recordEntry(page: Page, site: string, title: string, seconds = 4): Promise<void> {
  await page.goto(`${site}/upload`);
  await page.getByRole('button', { name: 'Start Recording' }).click();
  const stop = page.getByRole('button', { name: 'Stop Recording' });
  await stop.waitFor({ timeout: 60_000 });
  const live = page.getByLabel('Live preview');
  const time = () => live.evaluate((element: HTMLVideoElement) => element.currentTime);
  expect(await waitUntil(async () => (await time()) > seconds, 60_000)).toBe(true);
  await stop.click();
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Upload Video' }).click();
  await page.waitForURL('**/journals');
}

/** Opens an entry in the gallery, and plays it. */
export async function playEntry(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: title }).click();
  const video = page.locator('video');
  await video.focus();
  await video.press(' ');
  const position = () => video.evaluate((element: HTMLVideoElement) => element.currentTime);
  expect(await waitUntil(async () => (await position()) > 1, 120_000)).toBe(true);
}
