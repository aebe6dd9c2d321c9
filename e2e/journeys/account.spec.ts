import type { Page } from '@playwright/test';
import { listEntries } from '@/lib/journal/entries/contract';
import { newAccountDetails, signUp } from '../accounts';
import { userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { pauseRequests } from './pause-requests';

const password = (page: Page) => page.getByLabel('Password', { exact: true });
const alert = (page: Page, text: string) => page.getByRole('alert').getByText(text);

async function logIn(page: Page, account: { email: string; password: string }): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(account.email);
  await password(page).fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
}

test('login has its ways on, and a wrong password loses nothing', async ({
  guest: page,
  newAccount,
  watch,
}) => {
  watch.allowConsole(/status of 401/);
  const account = await newAccount();
  await page.goto('/login');
  for (const [button, path] of [
    ['Reset Password', '/reset_password'],
    ['Signup', '/signup'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await expect(page).toHaveURL(path);
    await page.goBack();
    await expect(page).toHaveURL('/login');
  }
  await logIn(page, { email: account.email, password: 'not my password' });
  await expect(alert(page, 'Incorrect email or password.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(account.email);
  await expect(password(page)).toHaveValue('not my password');
  await password(page).fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Welcome to Your Video Journal' })).toBeVisible();
});

test('login says of an unknown address what it says of a wrong password', async ({ guest: page, watch }) => {
  watch.allowConsole(/status of 401/);
  await logIn(page, newAccountDetails());
  await expect(alert(page, 'Incorrect email or password.')).toBeVisible();
});

test('login leads back to where one wanted to go, on this site only', async ({ guest: page, newAccount }) => {
  const account = await newAccount();
  await page.goto('/journals?page=2');
  await expect(page).toHaveURL('/login?next=%2Fjournals%3Fpage%3D2');
  await page.getByLabel('Email').fill(account.email);
  await password(page).fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL('/journals?page=2');
  await page.goto('/login?next=//elsewhere.example/');
  await expect(page).toHaveURL('/');
});

test('forms need all their fields, and an address that is one', async ({ guest: page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    // The offer of passkeys at the email field asks for a challenge at every visit.
    const isOffer = request.url().endsWith('/login/passkey/options');
    if (request.method() === 'POST' && !isOffer) asked.push(request.url());
  });
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Signup' }).click();
  for (const sentence of [
    'Enter your email address.',
    'Enter your first name.',
    'Enter your last name.',
    'Choose one.',
    'Enter your date of birth.',
    'Choose a password.',
  ]) {
    await expect(page.getByText(sentence)).toBeVisible();
  }
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email');
  expect(await page.getByLabel('Gender').locator('option:enabled').allTextContents()).toEqual([
    'male',
    'female',
    'non-binary',
    'prefer not to say',
  ]);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Enter your password.')).toBeVisible();
  await page.goto('/reset_password');
  await page.getByLabel('Email').fill('no address');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  expect(asked).toEqual([]);
});

test('signup says of a taken address what it says of a new one, and tells its owner', async ({
  guest: page,
  newAccount,
  mailbox,
}) => {
  const { email } = await newAccount();
  const person = { ...newAccountDetails(), email };
  await page.goto('/signup');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Gender').selectOption(person.gender);
  await page.getByLabel('Date of birth').fill(person.dateOfBirth);
  await password(page).fill(person.password);
  await page.getByRole('button', { name: 'Signup' }).click();
  await expect(page.getByText('Please check your email to finish verifying your account.')).toBeVisible();
  await mailbox.wait(email, /already have an account/);
});

test('an unverified account is sent to verify, and can have the mail again', async ({
  app,
  guest: page,
  mailbox,
  sql,
  watch,
}) => {
  watch.allowConsole(/status of 429/);
  const account = await signUp(app.url, mailbox, false);
  await logIn(page, account);
  await expect(page).toHaveURL('/verify_email');
  for (const path of ['/', '/upload', '/journals']) {
    await page.goto(path);
    await expect(page).toHaveURL('/verify_email');
  }
  await expect(
    page.getByText(
      'Please check your email for a verification code or click the following button to resend.',
    ),
  ).toBeVisible();
  const resend = page.getByRole('button', { name: 'Resend Verification' });
  await resend.click();
  await expect(alert(page, 'We sent an email less than a minute ago.')).toBeVisible();
  const userId = await userIdOf(sql, account.email);
  await sql`update mail_links set created_at = now() - interval '2 minutes' where user_id = ${userId}`;
  const first = await mailbox.wait(account.email, /verify/i);
  await expect(page.getByText(/^You can send another email in \d+ s\.$/)).toBeVisible();
  await page.reload();
  await resend.click();
  await expect(page.getByRole('status').getByText(/An email was sent/)).toBeVisible();
  await expect.poll(async () => (await mailbox.all(account.email)).length).toBe(2);
  const { link } = await mailbox.wait(account.email, /verify/i);
  expect(link).not.toBe(first.link);

  const [, , uid, token] = link.split('/');
  const release = await pauseRequests(page, '**/api/v1/verify_email/**');
  await page.goto(`/verify_email?uid=${uid}&token=${token}`);
  await expect(page.getByText('Trying to verify...')).toBeVisible();
  release();
  await expect(page.getByText('Your account is now verified!')).toBeVisible();
  // The session that was there before the verification is good from now on.
  await page.getByRole('link', { name: 'Record your first entry' }).click();
  await expect(page).toHaveURL('/upload');
});

test('a link to verify works once, and says so the second time', async ({
  app,
  guest: page,
  mailbox,
  watch,
}) => {
  watch.allowConsole(/status of 400/);
  const account = await signUp(app.url, mailbox, false);
  const { link } = await mailbox.wait(account.email);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'You are verified!' })).toBeVisible();
  // This browser didn't sign up, so the link doesn't sign in.
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Login' })).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('We couldn’t verify your account with this link')).toBeVisible();
  await expect(alert(page, 'This link is no longer valid. Request a new one.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Email').fill(account.email);
  await password(page).fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL('/upload');
});

test('a forgotten password is set anew by mail, which ends every session', async ({
  guest: page,
  newAccount,
  mailbox,
  watch,
}) => {
  watch.allowConsole(/status of 40[01]/);
  const account = await newAccount();
  await page.goto('/reset_password');
  await page.getByLabel('Email').fill(account.email);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(
    page.getByText(`An email has been sent out to ${account.email} with a link to reset the password.`),
  ).toBeVisible();
  const { link } = await mailbox.wait(account.email, /password/i);
  const fresh = 'a quite different password';
  await page.goto(link);
  await page.getByLabel('New Password').fill(fresh);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Your password has been reset.')).toBeVisible();
  expect((await account.api.sendOperation(listEntries)).status).toBe(401);

  await page.goto(link);
  await page.getByLabel('New Password').fill('and once more please');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(alert(page, 'This link is no longer valid. Request a new one.')).toBeVisible();

  await logIn(page, account);
  await expect(alert(page, 'Incorrect email or password.')).toBeVisible();
  await logIn(page, { ...account, password: fresh });
  await expect(page).toHaveURL('/');
});

test('logging out says so, ends the session and leads to login', async ({ page, account }) => {
  const release = await pauseRequests(page, '**/api/v1/logout');
  await page.goto('/logout');
  await expect(page.getByText('Logging out...')).toBeVisible();
  release();
  await expect(page).toHaveURL('/login');
  expect((await account.api.sendOperation(listEntries)).status).toBe(401);
  await page.goto('/journals');
  await expect(page).toHaveURL(/\/login\?next=/);
});
