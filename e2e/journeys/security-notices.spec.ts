import type { Page } from '@playwright/test';
import { login } from '@/lib/account/registration/contract';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';

const UNDO = 'Undo and secure my account';

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

test('a changed password is undone by the link in the email, which signs everyone out', async ({
  page,
  guest,
  account,
  mailbox,
  watch,
}) => {
  watch.allowConsole(/status of 40[01]/);
  await page.goto('/settings/security');
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Password' }) });
  await section.getByLabel('Current password').fill(account.password);
  await section.getByLabel('New Password').fill('four loud lanterns');
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed.')).toBeVisible();

  const { link } = await mailbox.wait(account.email, /password was changed/);
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
  await expectAccessibleInEveryAppearance(guest);
  await page.goto('/journals');
  await expect(page).toHaveURL('/journals');
  await guest.getByRole('button', { name: UNDO }).click();
  await expect(
    guest.getByRole('heading', { name: 'We undid the change and signed out every device.' }),
  ).toBeFocused();

  await page.goto('/journals');
  await expect(page).toHaveURL(/\/login/);
  await logIn(guest, account.email, 'four loud lanterns');
  await expect(guest.getByText('Incorrect email or password.').first()).toBeVisible();
  await logIn(guest, account.email, account.password);
  await expect(guest.getByRole('heading', { name: 'Welcome to Your Video Journal' })).toBeVisible();
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
  await expectAccessibleInEveryAppearance(guest);
});

test('a new device is signed out by the link in the email', async ({
  page,
  guest,
  account,
  anonymous,
  mailbox,
}) => {
  await anonymous.call(login, { body: { email: account.email, password: account.password } });
  expect(anonymous.cookies.has('daylight.device')).toBe(true);
  const { link } = await mailbox.wait(account.email, /new sign-in/i);
  await guest.goto(link);
  await guest.getByRole('button', { name: 'Sign out this device' }).click();
  await expect(guest.getByRole('heading', { name: 'That device is signed out.' })).toBeFocused();
  expect((await anonymous.send('GET', '/api/v1/check_account_status')).status).toBe(401);
  await page.goto('/journals');
  await expect(page).toHaveURL('/journals');
});
