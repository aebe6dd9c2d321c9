import type { Page } from '@playwright/test';
import { newAccountDetails, signUp } from '@/e2e/accounts';
import { expect, test } from '@/e2e/fixtures';
import { expectAccessible, forEachAppearance } from './axe';

const SETTINGS = ['/settings', '/settings/security', '/settings/video', '/settings/plan'];

async function check(page: Page, state: string): Promise<void> {
  await forEachAppearance(page, async () => {
    await expectAccessible(page);
    const low = await page.locator('main :is(button, input, select, nav a):visible').evaluateAll((controls) =>
      controls
        // A press on its label counts, too.
        .filter((control) => (control.closest('label') ?? control).getBoundingClientRect().height < 44)
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

test('the screens of signing up and verifying are accessible', async ({ guest, mailbox, app, watch }) => {
  watch.allowConsole(/status of 400/);
  const person = newAccountDetails();
  await guest.goto('/signup');
  await guest.getByLabel('Email').fill(person.email);
  await guest.getByLabel('First name').fill(person.firstName);
  await guest.getByLabel('Last name').fill(person.lastName);
  await guest.getByLabel('Gender').selectOption(person.gender);
  await guest.getByLabel('Date of birth').fill(person.dateOfBirth);
  await guest.getByLabel('Password', { exact: true }).fill(person.password);
  await guest.getByRole('button', { name: 'Signup' }).click();
  await expect(guest.getByRole('button', { name: 'Correct it' })).toBeVisible();
  await check(guest, 'waiting for the email');
  await guest.reload();
  await expect(guest.getByRole('link', { name: 'Correct it' })).toBeVisible();
  await check(guest, 'waiting for the email, after a reload');
  const other = await signUp(app.url, mailbox, false);
  const elsewhere = (await mailbox.wait(other.email, /verify/i)).link;
  for (const [link, name] of [
    [elsewhere, 'Log in'],
    [elsewhere, 'Log in'],
    [(await mailbox.wait(person.email, /verify/i)).link, 'Record your first entry'],
    [elsewhere, 'Go to your journal'],
  ] as const) {
    await guest.goto(link);
    await expect(guest.getByRole('main').getByRole('link', { name })).toBeVisible();
    await check(guest, name);
  }
});

test('the settings are accessible', async ({ page, account }) => {
  for (const path of [...SETTINGS, '/settings/preferences', '/settings/billing', '/settings/data']) {
    await page.goto(path);
    await expect(page.locator('main section').first()).toBeVisible();
    await check(page, path);
  }
  await page.goto('/settings/security');
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
    const controls = page
      .locator('main :is(a, button, select, input:not([type=hidden]):not([hidden]))')
      .filter({ visible: true });
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
