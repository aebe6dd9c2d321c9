import type { Page } from '@playwright/test';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';

const card = (page: Page) => page.getByRole('region', { name: 'A sonnet before bed' });
const removeButton = (page: Page) => page.getByRole('button', { name: 'Remove sample' });

test('an empty journal has a sample entry to explore', async ({ page, account, sql }) => {
  await page.goto('/');
  await expect(card(page)).toContainText('Sample entry');
  await expect(card(page)).toContainText('0:15');
  await expectAccessibleInEveryAppearance(page);
  await card(page).getByRole('link').click();
  await expect(page).toHaveURL('/entry/sample');
  await expect(page).toHaveTitle(/^Sample entry/);
  await expect(page.getByText('This is a sample. It isn’t part of your journal.')).toBeVisible();
  const words = page.getByRole('group', { name: 'Transcript words' });
  await words.locator('span').last().click();
  const video = page.locator('video');
  await expect
    .poll(() => video.evaluate((sample: HTMLVideoElement) => sample.currentTime))
    .toBeGreaterThan(5);
  await expect(words.locator('.now')).toHaveCount(1);
  await video.evaluate((sample: HTMLVideoElement) => sample.pause());
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('link', { name: 'Record your first entry' }).click();
  await expect(page.getByRole('button', { name: 'Start Recording' })).toBeVisible();

  // It counts as no entry, and one's own take its place.
  await page.goto('/');
  await expect(page.getByText('Total Entries: 0')).toBeVisible();
  await insertEntry(sql, await userIdOf(sql, account.email));
  await page.reload();
  await expect(page.getByText('Total Entries: 1')).toBeVisible();
  await expect(card(page)).toHaveCount(0);
});

test('the sample is removed from the card or from its page, and undo restores it', async ({
  browser,
  page,
  account,
  baseURL,
  signIn,
}) => {
  await page.goto('/journals');
  await removeButton(page).click();
  await expect(card(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card(page)).toBeVisible();
  await page.reload();
  await expect(card(page)).toBeVisible();

  await page.goto('/entry/sample');
  await removeButton(page).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Your journal is empty.')).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card(page)).toBeVisible();

  await removeButton(page).click();
  await expect(card(page)).toHaveCount(0);
  const elsewhere = await browser.newContext({ baseURL });
  const other = await elsewhere.newPage();
  await signIn(other, account);
  for (const path of ['/', '/journals']) {
    await other.goto(path);
    await expect(other.getByText('Your journal is empty.')).toBeVisible();
    await expect(card(other)).toHaveCount(0);
  }
  // Who has its address still sees it.
  await other.goto('/entry/sample');
  await expect(other.getByRole('heading', { name: 'A sonnet before bed' })).toBeVisible();
  await expect(removeButton(other)).toHaveCount(0);
  await elsewhere.close();
});
