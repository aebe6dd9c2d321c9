import type { Page } from '@playwright/test';
import { checkAccountStatus, login } from '@/lib/account/registration/contract';
import type { Account } from '../accounts';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';

/** Asks in the settings for another address. */
async function requestEmailChange(page: Page, account: Account, email: string): Promise<void> {
  await page.goto('/settings/security');
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Email' }) });
  await section.getByLabel('New email').fill(email);
  await section.getByLabel('Current password').fill(account.password);
  await section.getByRole('button', { name: 'Change email' }).click();
  await expect(section.getByText(`We sent a link to ${email}.`)).toBeVisible();
}

test('a new address takes its place once a button confirms it in the same browser', async ({
  page,
  account,
  mailbox,
  anonymous,
}) => {
  const email = `new-${account.email}`;
  await requestEmailChange(page, account, email);
  await page.goto((await mailbox.wait(email, /confirm/i)).link);
  await expect(page.getByText(email)).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  // Opening the link has changed nothing yet.
  await anonymous.call(login, { body: { email: account.email, password: account.password } });
  await page.getByRole('button', { name: 'Confirm new address' }).click();
  await expect(page.getByText('Your email address was changed.')).toBeFocused();
  await mailbox.wait(account.email, /address was changed/i);
  await anonymous.call(login, { body: { email, password: account.password } });
  await page.goto('/settings');
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('a link that someone else asked for explains itself, and “This wasn’t me” voids it', async ({
  page,
  guest,
  account,
  newAccount,
  signIn,
  mailbox,
}) => {
  const email = `victim-${account.email}`;
  await requestEmailChange(page, account, email);
  const { link } = await mailbox.wait(email, /confirm/i);
  const heading = 'Open this link where you asked for the change';
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: heading })).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Confirm new address' })).toHaveCount(0);
  await expectAccessibleInEveryAppearance(guest);
  // Signed in to another account it's no different, and that account is left as it is.
  const other = await newAccount();
  await signIn(guest, other);
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: heading })).toBeVisible();
  await guest.getByRole('button', { name: 'This wasn’t me' }).click();
  await expect(guest.getByRole('heading', { name: 'Thanks. That link no longer works.' })).toBeFocused();
  await other.api.call(checkAccountStatus);
  await guest.goto('/settings');
  await expect(guest.getByLabel('Email')).toHaveValue(other.email);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: /^We couldn’t change/ })).toBeVisible();
  await page.goto('/settings');
  await expect(page.getByLabel('Email')).toHaveValue(account.email);
});
