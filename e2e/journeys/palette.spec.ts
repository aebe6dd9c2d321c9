import type { Locator, Page } from '@playwright/test';
import { insertEntry, userIdOf } from '@/e2e/database';
import { expect, test } from '@/e2e/fixtures';
import { expectAccessible } from './axe';

const boxOf = (page: Page) => page.getByRole('combobox', { name: /Search or go to|Go to date/ });
const optionsOf = (page: Page) => page.getByRole('option');

/** Opens the palette. The keys do nothing before the page has come alive. */
async function openPalette(page: Page): Promise<Locator> {
  const box = boxOf(page);
  await expect(async () => {
    if (!(await box.isVisible())) await page.keyboard.press('Control+k');
    await expect(box).toBeFocused({ timeout: 1000 });
  }).toPass();
  return box;
}

test('everything in the palette is reached by keyboard, from any page', async ({ page }) => {
  for (const path of ['/', '/journals', '/search', '/settings']) {
    await page.goto(path);
    await openPalette(page);
    await page.keyboard.press('Escape');
    await expect(boxOf(page)).toBeHidden();
  }
  const box = await openPalette(page);
  await expect(optionsOf(page)).toHaveText([
    /Record/,
    /Upload/,
    'Go to date…',
    'Journal',
    'Settings',
    'Log out',
  ]);
  await expectAccessible(page);
  const selected = page.getByRole('option', { selected: true });
  await expect(selected).toHaveText(/Record/);
  await page.keyboard.press('ArrowUp');
  await expect(selected).toHaveText('Log out');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(selected).toHaveText(/Upload/);
  await expect(box).toHaveAttribute('aria-activedescendant', (await selected.getAttribute('id')) ?? 'none');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/upload$/);
  await expect(boxOf(page)).toBeHidden();

  await openPalette(page);
  await page.keyboard.type('journ');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/journals$/);
});

test('the same keys close the palette, and the focus returns to where it was', async ({ page }) => {
  await page.goto('/journals');
  const link = page.getByRole('link', { name: 'Settings' });
  await link.focus();
  await openPalette(page);
  await page.keyboard.press('Control+k');
  await expect(boxOf(page)).toBeHidden();
  await expect(link).toBeFocused();
});

test('typing finds entries, and Enter opens their moment', async ({ account, page, sql }) => {
  const userId = await userIdOf(sql, account.email);
  const id = await insertEntry(sql, userId, { title: 'At the coast' });
  const words = 'we walked to the old lighthouse'
    .split(' ')
    .map((word, second) => [word, second, second + 0.5]);
  await sql`insert into transcripts (entry_id, revision, words) values (${id}, 0, ${JSON.stringify(words)}::text::jsonb)`;
  await page.goto('/');
  await openPalette(page);
  await page.keyboard.type('lighth');
  await expect(optionsOf(page)).toHaveText(['Search for “lighth”', /At the coast.*lighthouse/]);
  await expect(page.getByRole('dialog').locator('mark')).toHaveText('lighthouse');
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/entry/${id}/At%20the%20coast\\?t=5$`));

  await openPalette(page);
  await page.keyboard.type('old light');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?query=old\+light$/);
  await expect(page.getByRole('main').getByRole('status')).toHaveText('1 entry');
});

test('a day is opened by typing its date: its entry, or else its month', async ({
  account,
  page,
  sql,
  watch,
}) => {
  const userId = await userIdOf(sql, account.email);
  const id = await insertEntry(sql, userId, { title: 'One day', date: '2025-11-18' });
  for (const title of ['Morning', 'Evening']) await insertEntry(sql, userId, { title, date: '2025-11-20' });
  await page.goto('/journals');
  await openPalette(page);
  await page.getByRole('option', { name: 'Go to date…' }).click();
  await expect(boxOf(page)).toBeFocused();
  await expect(optionsOf(page)).toHaveText([/^Today/, /^Yesterday/]);
  await page.keyboard.type('nothing');
  await expect(page.getByText('Type a date, such as')).toBeVisible();
  await boxOf(page).fill('11/18/2025');
  await expect(optionsOf(page)).toHaveText(/Tuesday, November 18, 2025/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/entry/${id}/One%20day$`));

  for (const typed of ['nov 20 2025', '11/21/2025']) {
    await openPalette(page);
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/journals\?view=calendar&month=2025-11$/);
    await expect(page.getByRole('region', { name: 'November 2025' })).toBeVisible();
    await page.goto('/');
  }
  watch.allowConsole(/status of 404/);
  expect((await page.goto('/day/2025-02-30'))?.status()).toBe(404);
});

test('the palette knows every page of the settings', async ({ page }) => {
  await page.goto('/settings/profile');
  const pages = await page
    .getByRole('main')
    .locator('a[href^="/settings/"]')
    .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]));
  expect(pages.length).toBeGreaterThan(5);
  await openPalette(page);
  await page.keyboard.type('settings');
  const options = page.locator('[role=option][href^="/settings/"]');
  await expect(options).toHaveCount(pages.length);
  const named = await options.evaluateAll((links) =>
    links.map((link) => [link.textContent?.replace(/Settings$/, ''), link.getAttribute('href')]),
  );
  expect(named.map(([, href]) => href)).toEqual(pages.map(([, href]) => href));
  for (const [index, [label]] of pages.entries()) expect(label).toContain(named[index]?.[0]?.trim());
});

test('a recording asks before the palette leaves it', async ({ page, context }) => {
  await context.grantPermissions(['camera', 'microphone']);
  await page.goto('/upload');
  await page.getByRole('button', { name: 'Start Recording' }).click();
  await expect(page.getByRole('button', { name: 'Stop Recording' })).toBeVisible({ timeout: 20_000 });
  await openPalette(page);
  await page.keyboard.type('journ');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'You’re still recording' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep recording' }).click();
  await expect(page).toHaveURL(/\/upload$/);
});
