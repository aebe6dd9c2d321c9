import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import type { Persona } from '@/e2e/oauth-providers';
import {
  checkAccountStatus,
  login,
  register,
  requestReset,
  resetPassword,
} from '@/lib/account/registration/contract';
import { enableTwoFactor, setUpTwoFactor } from '@/lib/account/security/contract';
import { listSessions } from '@/lib/account/sessions/contract';
import { newAccountDetails } from '../accounts';
import { createClient } from '../client';
import { expect, test } from '../fixtures';

const newPersona = (more: Partial<Persona> = {}): Persona => ({
  id: String(Math.floor(Math.random() * 1e12)),
  email: `${randomUUID()}@example.com`,
  verified: true,
  name: 'Grace Hopper',
  ...more,
});

/** Says at the provider's page who one is. */
async function allow(page: Page, persona: Persona): Promise<void> {
  await page.getByLabel('Persona').fill(JSON.stringify(persona));
  await page.getByRole('button', { name: 'Allow' }).click();
}

const connections = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Connected accounts' }) });

test('Google opens an account and leads to the page that was asked for', async ({ guest, watch }) => {
  watch.allowConsole(/status of 409/);
  const persona = newPersona();
  await guest.goto('/settings/security');
  await guest.getByRole('button', { name: 'Continue with Google' }).click();
  await allow(guest, persona);
  await expect(guest).toHaveURL('/settings/security');
  const names = (await guest.context().cookies()).map(({ name }) => name);
  expect(names.filter((name) => /session-token|refresh/.test(name)).sort()).toEqual([
    'daylight.refresh',
    'next-auth.session-token',
  ]);
  const { sessions } = listSessions.response.parse(
    await (await guest.request.get('/api/v1/sessions')).json(),
  );
  expect(sessions).toHaveLength(1);
  await expect(guest.getByText('You don’t have one.', { exact: false })).toBeVisible();
  await expect(guest.getByText('Signed in with Google')).toBeVisible();
  await expect(connections(guest).getByText(persona.email)).toBeVisible();
  await connections(guest).getByRole('button', { name: 'Disconnect Google' }).click();
  await connections(guest).getByRole('button', { name: 'Disconnect Google' }).click();
  await expect(guest.getByText(/This is your only way to sign in/)).toBeVisible();
  await guest.goto('/settings');
  await expect(guest.getByLabel('First name')).toHaveValue('Grace');
});

test('GitHub signs in to the account with the same address, which still asks for its code', async ({
  guest,
  account,
  mailbox,
}) => {
  const { secret } = await account.api.call(setUpTwoFactor, { body: { currentPassword: account.password } });
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const { recoveryCodes } = await account.api.call(enableTwoFactor, { body: { code: totp.generate() } });
  await guest.goto('/login?next=%2Fjournals');
  await guest.getByRole('button', { name: 'Continue with GitHub' }).click();
  await allow(guest, newPersona({ email: account.email }));
  await expect(guest).toHaveURL('/login/code');
  await guest.getByLabel('Code').fill(recoveryCodes[0] ?? '');
  await guest.getByRole('button', { name: 'Login' }).click();
  await expect(guest).toHaveURL('/journals');
  await mailbox.wait(account.email, /GitHub was connected/);
  // GitHub is the only sign-in method from here on: the old session and the password are gone.
  expect((await account.api.sendOperation(checkAccountStatus)).status).toBe(401);
  const credentials = { body: { email: account.email, password: account.password } };
  expect((await account.api.sendOperation(login, credentials)).status).toBe(401);
});

test('a provider is off after a password reset, until it is turned back on in the settings', async ({
  page,
  account,
  guest,
  anonymous,
  mailbox,
  signIn,
}) => {
  const persona = newPersona();
  await page.goto('/settings/security');
  await connections(page).getByRole('button', { name: 'Connect Google', exact: true }).click();
  await connections(page).getByLabel('Current password').fill(account.password);
  await connections(page).getByRole('button', { name: 'Connect Google', exact: true }).click();
  await allow(page, persona);
  await expect(connections(page).getByText(persona.email)).toBeVisible();
  await anonymous.call(requestReset, { body: { email: account.email } });
  const [, , uidb64 = '', token = ''] = (await mailbox.wait(account.email, /new password/)).link.split('/');
  const newPassword = 'four loud lanterns';
  await anonymous.call(resetPassword, { params: { uidb64, token }, body: { newPassword } });
  const returnFromProvider = async () => {
    await guest.goto('/login?next=%2Fsettings');
    await guest.getByRole('button', { name: 'Continue with Google' }).click();
    await allow(guest, persona);
  };
  await returnFromProvider();
  await expect(guest.getByText(/That way of signing in is turned off/)).toBeVisible();
  await account.api.call(login, { body: { email: account.email, password: newPassword } });
  await signIn(page, account);
  await page.goto('/settings/security');
  await expect(connections(page).getByText('Turned off when your password was reset')).toBeVisible();
  await connections(page).getByRole('button', { name: 'Turn on Google' }).click();
  await connections(page).getByLabel('Current password').fill(newPassword);
  await connections(page).getByRole('button', { name: 'Turn on Google' }).click();
  await expect(connections(page).getByRole('button', { name: 'Disconnect Google' })).toBeVisible();
  await returnFromProvider();
  await expect(guest.getByLabel('Email')).toHaveValue(account.email);
});

test('whoever opened an account with somebody else’s address has nothing left of it', async ({
  guest,
  app,
}) => {
  const person = newAccountDetails();
  const stranger = createClient(app.url);
  await stranger.call(register, { body: person });
  const credentials = { body: { email: person.email, password: person.password } };
  await stranger.call(login, credentials);
  await guest.goto('/login');
  await guest.getByRole('button', { name: 'Continue with Google' }).click();
  await allow(guest, newPersona({ email: person.email }));
  await expect(guest.getByRole('heading', { name: 'Welcome to Your Video Journal' })).toBeVisible();
  expect((await stranger.sendOperation(checkAccountStatus)).status).toBe(401);
  expect((await createClient(app.url).sendOperation(login, credentials)).status).toBe(401);
});

test('what a provider refuses, does not vouch for or never began comes back with a sentence', async ({
  guest,
  account,
}) => {
  await guest.goto('/login?next=%2Fjournals');
  await guest.getByRole('button', { name: 'Continue with GitHub' }).click();
  await allow(guest, newPersona({ email: account.email, verified: false }));
  await expect(guest.getByText(/your email address there isn’t verified/)).toBeVisible();
  await guest.getByRole('button', { name: 'Continue with Google' }).click();
  await guest.getByRole('button', { name: 'Cancel' }).click();
  await expect(guest.getByText(/was canceled or didn’t work/)).toBeVisible();
  await guest.goto('/api/auth/callback/google?code=stolen&state=forged');
  await expect(guest.getByText(/was canceled or didn’t work/)).toBeVisible();
  expect((await guest.request.get('/api/v1/check_account_status')).status()).toBe(401);
});

test('a provider is connected in the settings, whatever its address, and disconnected', async ({
  page,
  account,
  guest,
}) => {
  const persona = newPersona();
  await page.goto('/settings/security');
  await connections(page).getByRole('button', { name: 'Connect Google', exact: true }).click();
  await connections(page).getByLabel('Current password').fill(account.password);
  await connections(page).getByRole('button', { name: 'Connect Google', exact: true }).click();
  await allow(page, persona);
  await expect(page).toHaveURL('/settings/security');
  await expect(connections(page).getByText(persona.email)).toBeVisible();
  await guest.goto('/login?next=%2Fsettings');
  await guest.getByRole('button', { name: 'Continue with Google' }).click();
  await allow(guest, persona);
  await expect(guest.getByLabel('Email')).toHaveValue(account.email);
  await connections(page).getByRole('button', { name: 'Disconnect Google' }).click();
  await connections(page).getByLabel('Current password').fill(account.password);
  await connections(page).getByRole('button', { name: 'Disconnect Google' }).click();
  await expect(connections(page).getByRole('button', { name: 'Connect Google', exact: true })).toBeVisible();
});
