import type { Locator, Page } from '@playwright/test';
import { updatePreferences } from '@/lib/account/preferences/contract';
import { expect, test } from '../fixtures';
import { expectAccessible } from './axe';

/** Returns whether a background is a light or a dark one, in whatever way the browser writes colors. */
const shadeOf = (target: Locator) =>
  target.evaluate((element) => {
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    if (!context) throw new Error('There is no canvas.');
    context.fillStyle = getComputedStyle(element).backgroundColor;
    context.fillRect(0, 0, 1, 1);
    return (context.getImageData(0, 0, 1, 1).data[1] ?? 0) > 127 ? 'light' : 'dark';
  });
const canvasOf = (page: Page) => shadeOf(page.locator('html'));
const menuButton = (page: Page) => page.getByRole('button', { name: 'Account menu' });
const menu = (page: Page) => page.getByRole('region', { name: 'Account' });

/** Returns the theme in the HTML itself, so that nothing flashes. */
async function themeInHtml(page: Page, path: string): Promise<string | undefined> {
  const html = (await (await page.goto(path))?.text()) ?? '';
  return /<html[^>]* data-theme="(\w+)"/.exec(html)?.[1];
}

test('the theme that’s chosen in the account menu is in the HTML of every page, also signed out', async ({
  page,
  account,
}) => {
  expect(await themeInHtml(page, '/journals')).toBe('system');
  expect(await canvasOf(page)).toBe('light');
  await menuButton(page).click();
  await expect(menu(page)).toContainText('Ada Lovelace');
  await expect(menu(page)).toContainText(account.email);
  const saved = page.waitForResponse('**/api/v1/preferences');
  await menu(page).getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(() => canvasOf(page)).toBe('dark');
  expect((await saved).status()).toBe(200);
  await expectAccessible(page);

  for (const path of ['/', '/journals', '/settings/preferences']) {
    expect(await themeInHtml(page, path), path).toBe('dark');
    await expect(page.locator('meta[name="theme-color"]')).toHaveAttribute('content', '#0d110f');
  }
  await expect(page.getByRole('main').getByRole('radio', { name: 'Dark' })).toBeChecked();

  await menuButton(page).click();
  await menu(page).getByRole('link', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  const landing = await page.goto('/');
  expect(await landing?.text()).toMatch(/<html[^>]* data-theme="dark"/);
  expect(landing?.headers()['cache-control'], 'kept by no shared cache').toMatch(/private|no-store/);
  expect(await canvasOf(page)).toBe('dark');
});

test('a light theme wins over a dark device, and the studio stays dark', async ({ page, api }) => {
  await api.call(updatePreferences, { body: { theme: 'light' } });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await themeInHtml(page, '/settings/preferences')).toBe('light');
  expect(await canvasOf(page)).toBe('light');
  await page.getByRole('main').getByRole('radio', { name: 'System' }).check();
  await expect.poll(() => canvasOf(page)).toBe('dark');
  await page.getByRole('main').getByRole('radio', { name: 'Light' }).check();
  await expect.poll(() => canvasOf(page)).toBe('light');
  await page.goto('/upload');
  const header = page.getByRole('banner');
  await expect.poll(() => shadeOf(header)).toBe('dark');
});

test('a theme that can’t be saved says so, and goes back', async ({ page, watch }) => {
  watch.allowConsole(/status of 503/);
  await page.goto('/journals');
  await page.route('**/api/v1/preferences', (route) => route.fulfill({ status: 503, json: {} }));
  await menuButton(page).click();
  await menu(page).getByRole('radio', { name: 'Dark' }).click();
  await expect(menu(page).getByRole('alert')).toHaveText(/couldn’t save the theme/);
  await expect(menu(page).getByRole('radio', { name: 'System' })).toBeChecked();
  expect(await canvasOf(page)).toBe('light');
});

test('the account menu works by keyboard, and leads to the settings', async ({ page }) => {
  await page.goto('/journals');
  await menuButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(menu(page)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(menu(page).getByRole('radio', { name: 'System' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(menu(page).getByRole('radio', { name: 'Light' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(menu(page)).toBeHidden();
  await expect(menuButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  for (const _ of ['theme', 'settings']) await page.keyboard.press('Tab');
  await expect(menu(page).getByRole('link', { name: 'Settings' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/settings');
  await expect(menu(page)).toBeHidden();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the account menu opens on every page, and leads out', async ({ page }) => {
    for (const path of ['/', '/journals', '/settings/plan', '/upload']) {
      await page.goto(path);
      await menuButton(page).press('Enter');
      await expect(menu(page).getByRole('link', { name: 'Logout' })).toBeVisible();
    }
    await page.keyboard.press('Escape');
    await expect(menu(page)).toBeHidden();
    await menuButton(page).click();
    await menu(page).getByRole('link', { name: 'Settings' }).click();
    await expect(page).toHaveURL('/settings');
  });
});
