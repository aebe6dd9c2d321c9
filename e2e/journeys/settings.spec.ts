import { Secret, TOTP } from 'otpauth';
import { login } from '@/lib/account/registration/contract';
import { expect, test } from '../fixtures';

test('the pages are links, with the profile first and Logout last', async ({ page }) => {
  await page.goto('/settings');
  const nav = page.getByRole('navigation', { name: 'Settings' });
  const names = await nav.getByRole('link').allTextContents();
  for (const name of ['Profile', 'Video Settings', 'Plan Details', 'Billing + Invoicing', 'Tags'])
    expect(names).toContain(name);
  expect(names.at(0)).toBe('Profile');
  expect(names.at(-1)).toBe('Logout');
  await expect(nav.getByRole('link', { name: 'Profile' })).toHaveAttribute('aria-current', 'page');
  await nav.getByRole('link', { name: 'Video Settings' }).click();
  await expect(page).toHaveURL('/settings/video');
  await expect(page).toHaveTitle('Video Settings · Settings · Daylight');
  const video = nav.getByRole('link', { name: 'Video Settings' });
  await expect(video).toHaveAttribute('aria-current', 'page');
  await expect(video).toBeFocused();
  await expect(nav.getByRole('link', { name: 'Profile' })).not.toHaveAttribute('aria-current');
  await expect(page.getByText('Transcription language')).toBeVisible();
  await expect(page.getByText('Compression type')).toBeVisible();
  await nav.getByRole('link', { name: 'Plan Details' }).click();
  await expect(page.getByText('0.00 B of 5.00 GB')).toBeVisible();
  await expect(page.getByText('0 of 30')).toBeVisible();
  await expect(page.getByText('0 seconds of 3 hours')).toBeVisible();
});

test('the former addresses lead to the pages, with what else they say', async ({ page, watch }) => {
  await page.goto('/settings?tab=trash#top');
  await expect(page).toHaveURL('/settings/trash#top');
  await page.goto('/settings/?tab=plan&bought=Standard');
  await expect(page).toHaveURL('/settings/plan?bought=Standard');
  await page.goto('/settings?tab=nothing');
  await expect(page).toHaveURL('/settings?tab=nothing');
  await expect(page.getByRole('button', { name: 'Update Profile' })).toBeVisible();
  watch.allowConsole(/status of 404/);
  expect((await page.goto('/settings/nothing'))?.status()).toBe(404);
});

test('the profile keeps what was changed, and the address is only to be read', async ({ page, account }) => {
  await page.goto('/settings');
  await expect(page.getByLabel('Email')).toHaveValue(account.email);
  await expect(page.getByLabel('Email')).not.toBeEditable();
  await page.getByLabel('First name').fill('  Gr\u00e4ce ');
  await page.getByLabel('Last name').fill('');
  await page.getByRole('button', { name: 'Update Profile' }).click();
  await expect(page.getByText('Enter your last name.')).toBeVisible();
  await page.getByLabel('Last name').fill('Hopper');
  await page.getByRole('button', { name: 'Update Profile' }).click();
  await expect(page.getByText('Profile updated.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('First name')).toHaveValue('Gr\u00e4ce');
  await expect(page.getByLabel('Last name')).toHaveValue('Hopper');
});

test('a new password signs the other devices out and keeps this one', async ({ page, account, watch }) => {
  watch.allowConsole(/status of 400/);
  await page.goto('/settings/security');
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Password' }) });
  await section.getByLabel('Current password').fill('not mine');
  await section.getByLabel('New Password').fill('four loud lanterns');
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(section.getByText('That isn’t your current password.')).toBeVisible();
  await section.getByLabel('Current password').fill(account.password);
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed.')).toBeVisible();
  // `account.api` had the session that this page came with.
  expect((await account.api.send('GET', '/api/v1/check_account_status')).status).toBe(401);
  await page.goto('/journals');
  await expect(page.getByRole('heading', { name: 'My Journal Entries' })).toBeVisible();
});

test('the list of devices signs out one and all others', async ({ page, account, anonymous, watch }) => {
  watch.allowConsole(/status of 401/);
  const body = { email: account.email, password: account.password };
  const signInAs = (agent: string) =>
    anonymous
      .sendOperation(login, { body }, { 'user-agent': agent })
      .then((response) => expect(response.status).toBe(200));
  await signInAs('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
  await page.goto('/settings/security');
  const devices = page.getByRole('listitem').filter({ hasText: 'Location unknown' });
  await expect(devices).toHaveCount(2);
  await expect(devices.first()).toContainText('this device');
  await expect(devices.nth(1)).toContainText('Firefox on Linux');
  await page.getByRole('button', { name: 'Sign out Firefox on Linux' }).click();
  await expect(devices).toHaveCount(1);
  expect((await anonymous.send('GET', '/api/v1/check_account_status')).status).toBe(401);
  await signInAs('one');
  await signInAs('two');
  await page.reload();
  await expect(devices).toHaveCount(3);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(devices).toHaveCount(1);
  expect((await anonymous.send('GET', '/api/v1/check_account_status')).status).toBe(401);
});

test('two-factor login is set up, asked for, and saved by a recovery code', async ({
  page,
  account,
  guest,
  watch,
}) => {
  watch.allowConsole(/status of 400/);
  await page.goto('/settings/security');
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Two-factor login' }) });
  await section.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await section.getByLabel('Current password').fill(account.password);
  await section.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await expect(section.getByRole('img', { name: /QR code/ })).toBeVisible();
  const secret = ((await section.locator('code').textContent()) ?? '').replaceAll(' ', '');
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await section.getByLabel('Code from the app').fill(totp.generate());
  await section.getByRole('button', { name: 'Turn on' }).click();
  await expect(section.getByRole('heading', { name: 'Save your recovery codes' })).toBeFocused();
  const codes = await section.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await section.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(section.getByText('On. You have 10 recovery codes left.')).toBeVisible();

  await guest.goto('/login?next=/settings');
  await guest.getByLabel('Email').fill(account.email);
  await guest.getByLabel('Password', { exact: true }).fill(account.password);
  await guest.keyboard.press('Enter');
  await expect(guest.getByLabel('Code')).toBeFocused();
  await guest.keyboard.type('000000');
  await guest.keyboard.press('Enter');
  await expect(guest.getByText(/That code (is wrong|isn’t right)/).first()).toBeVisible();
  await guest.getByLabel('Code').fill(codes[0] ?? '');
  await guest.keyboard.press('Enter');
  await expect(guest).toHaveURL('/settings');

  const off = section.getByRole('button', { name: 'Turn off two-factor login' });
  await off.click();
  await section.getByLabel('Current password').fill(account.password);
  await off.click();
  await expect(section.getByText('Enter the code.')).toBeVisible();
  await section.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
  await off.click();
  await expect(section.getByText(/That code (is wrong|isn’t right)/)).toBeVisible();
  await section.getByLabel('Code', { exact: true }).fill(codes[1] ?? '');
  await off.click();
  await expect(section.getByText('Off. You log in with just your password.')).toBeVisible();
});
