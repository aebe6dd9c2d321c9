import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { button, record, savedHere } from './recording-steps';

const notice = (page: Page) => page.getByText('Your browser deleted 1 recording that wasn’t uploaded');

const marks = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'daylight-kept')?.value;

/** Deletes what a browser deletes to free up space, which leaves the cookies. */
async function freeUpSpace(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin: new URL(page.url()).origin,
    storageTypes: 'indexeddb,local_storage,cache_storage',
  });
  await session.detach();
}

async function recordAndLeave(page: Page): Promise<void> {
  await page.goto('/upload');
  await record(page);
  await page.getByRole('link', { name: 'Journal', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'My Journal Entries' })).toBeVisible();
  // The page has read what's stored. Deleting it in the middle of that would be an error.
  await expect(page.getByText('A recording isn’t uploaded yet')).toBeVisible();
}

test('says once that the browser has deleted a recording', async ({ page, newAccount, signIn }) => {
  await recordAndLeave(page);
  await page.reload();
  await expect(page.getByText('A recording isn’t uploaded yet')).toBeVisible();
  await expect(notice(page)).toHaveCount(0);

  await freeUpSpace(page);
  await page.goto('/journals');
  await expect(notice(page)).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  // The device doesn't say whose it was.
  await signIn(page, await newAccount());
  await page.goto('/');
  await expect(notice(page)).toContainText(
    'If other people use this browser, some of it may have been theirs.',
  );
  await button(page, 'OK').click();
  await expect(notice(page)).toHaveCount(0);
  expect(await marks(page)).toBeUndefined();
  await page.reload();
  await expect(page.getByText('Total Entries: 0')).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
});

test('still says so after another recording', async ({ page }) => {
  await recordAndLeave(page);
  await freeUpSpace(page);
  await recordAndLeave(page);
  await page.reload();
  await expect(notice(page)).toBeVisible();
  await expect(page.getByText('A recording isn’t uploaded yet')).toBeVisible();
  await button(page, 'OK').click();
  expect(await marks(page)).toBe('1.0.0-0.0.0');
});

test('says nothing about recordings that were uploaded or discarded', async ({ page }) => {
  await page.goto('/upload');
  await record(page);
  await expect.poll(() => marks(page)).toBe('1.0.0-0.0.0');
  await button(page, 'Discard').click();
  await expect.poll(() => marks(page)).toBeUndefined();
  await button(page, 'Undo').click();
  await expect.poll(() => marks(page)).toBe('1.0.0-0.0.0');
  await button(page, 'Upload Video').click();
  await page.waitForURL('/journals');
  await expect.poll(() => marks(page)).toBeUndefined();
  await freeUpSpace(page);
  await page.reload();
  await expect(page.getByRole('article')).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
  await page.goto('/upload');
  await expect(button(page, 'Start Recording')).toBeVisible();
  await expect(savedHere(page)).toHaveCount(0);
});
