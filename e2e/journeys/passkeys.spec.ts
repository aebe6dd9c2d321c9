import type { Page } from '@playwright/test';
import { listPasskeys } from '@/lib/account/passkeys/contract';
import { requestReset, resetPassword } from '@/lib/account/registration/contract';
import { expect, test } from '../fixtures';
import { addVirtualAuthenticator } from '../virtual-authenticator';
import { expectAccessibleInEveryAppearance } from './axe';

const sectionOf = (page: Page, name: string) =>
  page.locator('section', { has: page.getByRole('heading', { name, exact: true }) });

test('a passkey is added, signs in without password and code, and is removed', async ({
  page,
  account,
  mailbox,
  watch,
}) => {
  watch.allowConsole(/status of 40[01]/);
  const authenticator = await addVirtualAuthenticator(page);
  await page.goto('/settings/security');
  const section = sectionOf(page, 'Passkeys');
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(section.getByLabel('Name')).toBeFocused();
  await section.getByLabel('Name').fill('My laptop');
  await section.getByLabel('Current password').fill('not mine');
  await section.getByRole('button', { name: 'Add passkey' }).click();
  await expect(section.getByText('That isn’t your current password.')).toBeVisible();
  await section.getByLabel('Current password').fill(account.password);
  await section.getByRole('button', { name: 'Add passkey' }).click();
  await expect(section.getByText('My laptop')).toBeVisible();
  await expect(section.getByText(/Not used yet/)).toBeVisible();
  await mailbox.wait(account.email, /passkey was added/);

  // It does not take up the browser's own offer either then.
  await authenticator.setVerified(false);
  await page.goto('/logout');
  await expect(page).toHaveURL('/login');
  await page.goto('/login?next=%2Fsettings%3Ftab%3Dsecurity');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('We couldn’t confirm your passkey. Try again.')).toBeVisible();
  await authenticator.setVerified(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/settings/security');
  await expect(section.getByText(/Last used/)).toBeVisible();

  await expect(
    sectionOf(page, 'Recent activity').getByText('Signed in with a passkey').first(),
  ).toBeVisible();
  await section.getByRole('button', { name: 'Rename My laptop' }).click();
  await expect(section.getByLabel('Name')).toHaveValue('My laptop');
  await section.getByLabel('Name').fill('Old laptop');
  await section.getByRole('button', { name: 'Rename passkey' }).click();
  await expect(section.getByText('Old laptop')).toBeVisible();
  await section.getByRole('button', { name: 'Remove Old laptop' }).click();
  await section.getByRole('button', { name: 'Use a passkey instead' }).click();
  await expect(section.getByLabel('Current password')).toBeHidden();
  await section.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(section.getByText('Old laptop')).toBeHidden();
  await mailbox.wait(account.email, /passkey was removed/);
});

test('the browser offers the passkey at the email field', async ({ page, account, api }) => {
  await addVirtualAuthenticator(page);
  await page.goto('/settings/security');
  const section = sectionOf(page, 'Passkeys');
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await section.getByLabel('Current password').fill(account.password);
  await section.getByRole('button', { name: 'Add passkey' }).click();
  await expect(section.getByText(/Not used yet/)).toBeVisible();
  expect((await api.call(listPasskeys)).passkeys).toHaveLength(1);
  await page.goto('/logout');
  // Chromium's own authenticator takes up the offer as soon as it is made.
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Welcome to Your Video Journal' })).toBeVisible();
});

test('a passkey is off after a password reset, until it is turned back on in the settings', async ({
  page,
  account,
  anonymous,
  mailbox,
  watch,
}) => {
  watch.allowConsole(/status of 401/);
  const authenticator = await addVirtualAuthenticator(page);
  await page.goto('/settings/security');
  const section = sectionOf(page, 'Passkeys');
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await section.getByLabel('Name').fill('My laptop');
  await section.getByLabel('Current password').fill(account.password);
  await section.getByRole('button', { name: 'Add passkey' }).click();
  await expect(section.getByText(/Not used yet/)).toBeVisible();

  const newPassword = 'four loud lanterns';
  await anonymous.call(requestReset, { body: { email: account.email } });
  const [, , uidb64 = '', token = ''] = (await mailbox.wait(account.email, /new password/)).link.split('/');
  await anonymous.call(resetPassword, { params: { uidb64, token }, body: { newPassword } });

  // Unverified, it doesn't answer the browser's own offer before the button is pressed.
  await authenticator.setVerified(false);
  await page.goto('/login?next=%2Fsettings%3Ftab%3Dsecurity');
  await authenticator.setVerified(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('We couldn’t verify that passkey.').first()).toBeVisible();
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(newPassword);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(section.getByText('Turned off when your password was reset')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await section.getByRole('button', { name: 'Turn on My laptop' }).click();
  await section.getByLabel('Current password').fill(newPassword);
  await section.getByRole('button', { name: 'Turn on passkey' }).click();
  await expect(section.getByText(/Not used yet/)).toBeVisible();
  await mailbox.wait(account.email, /turned back on/);

  await authenticator.setVerified(false);
  await page.goto('/logout');
  await expect(page).toHaveURL('/login');
  await page.goto('/login?next=%2Fsettings%3Ftab%3Dsecurity');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('We couldn’t confirm your passkey. Try again.')).toBeVisible();
  // Only now: the browser's own offer would otherwise sign in while the button is being pressed.
  await authenticator.setVerified(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(section.getByText(/Last used/)).toBeVisible();
});

test('sign-in pages are accessible in every theme', async ({ page, guest }) => {
  await guest.goto('/login?error=OAuthCallback');
  await expect(guest.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await expectAccessibleInEveryAppearance(guest);
  await page.goto('/settings/security');
  await sectionOf(page, 'Passkeys').getByRole('button', { name: 'Add a passkey' }).click();
  await expectAccessibleInEveryAppearance(page);
});
