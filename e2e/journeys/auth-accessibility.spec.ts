import type { Page } from '@playwright/test';
import { expect, test } from '@/e2e/fixtures';
import { expectAccessible, forEachAppearance } from './axe';

const SETTINGS = ['/settings', '/settings?tab=security', '/settings?tab=video', '/settings?tab=plan'];

async function check(page: Page, state: string): Promise<void> {
  await forEachAppearance(page, async () => {
    await expectAccessible(page);
    const low = await page
      .locator('main :is(button, input, select, nav a):visible')
      .evaluateAll((controls) =>
        controls
          .filter((control) => control.getBoundingClientRect().height < 44)
          .map((control) => control.outerHTML),
      );
    expect(low, `${state} has controls lower than 44 px`).toEqual([]);
  });
}

test('sign-in forms with errors and a used link are accessible', async ({ guest, watch }) => {
  watch.allowConsole(/status of 400/);
  await guest.goto('/change_email/a/b/');
  await expect(guest.getByRole('heading', { name: /^We couldn’t/ })).toBeVisible();
  await check(guest, 'a link that is spent');
  for (const path of ['/login', '/signup', '/reset_password']) {
    await guest.goto(path);
    await guest.locator('form button[type=submit]').click();
    await expect(guest.locator('[aria-invalid=true]').first()).toBeFocused();
    await check(guest, `${path} with errors`);
  }
});

test('the settings are accessible', async ({ page, account }) => {
  for (const path of SETTINGS) {
    await page.goto(path);
    await expect(page.locator('main section').first()).toBeVisible();
    await check(page, path);
  }
  await page.goto('/settings?tab=security');
  const setUp = page.getByRole('button', { name: 'Set up an authenticator app' });
  await setUp.click();
  const form = page.locator('form', { has: setUp });
  await form.getByLabel('Current password').fill(account.password);
  await setUp.click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await check(page, 'setting up an authenticator app');
});

test('every control of the settings is reached by Tab, in order and with a visible focus', async ({
  page,
}) => {
  for (const path of SETTINGS) {
    await page.goto(path);
    const controls = page.locator('main :is(a, button, input:not([type=hidden]):not([hidden]))');
    const count = await controls.count();
    await page.locator('main').focus();
    for (let index = 0; index < count; index += 1) {
      await page.keyboard.press('Tab');
      await expect(controls.nth(index)).toBeFocused();
      const outline = await controls.nth(index).evaluate((control) => getComputedStyle(control).outlineStyle);
      expect(outline).not.toBe('none');
    }
  }
});
