import type { Page } from '@playwright/test';
import { newAccountDetails, signUp } from '@/e2e/accounts';
import { expect, test } from '@/e2e/fixtures';
import { verifyEmail } from '@/lib/account/registration/contract';
import { fillSignup, type Person, startCounting } from './signup-steps';

/** Of a first entry with its transcript. The studio's Start Recording, Stop Recording, and Upload Video are three. */
const MAX_CLICKS = 6 - 3;
const MAX_FIELDS = 7;

const CHECK_EMAIL = 'Please check your email to finish verifying your account.';

const signupButton = (page: Page) => page.getByRole('button', { name: 'Signup' });
const resend = (page: Page) => page.getByRole('button', { name: 'Resend Verification' });

async function submitSignup(page: Page, person: Person): Promise<void> {
  await fillSignup(page, person);
  await signupButton(page).click();
  await expect(page.getByRole('heading', { name: CHECK_EMAIL })).toBeFocused();
}

test('from the home page to the studio takes three clicks and six fields', async ({ guest, mailbox }) => {
  const person = newAccountDetails();
  const { count, click, fill } = startCounting();
  await guest.goto('/');
  await click(guest.getByRole('main').getByRole('link', { name: 'Start your journal' }).first());
  await fill(guest, person);
  await click(signupButton(guest));
  await expect(guest.getByRole('heading', { name: CHECK_EMAIL })).toBeFocused();

  // A mail program opens links in a tab of its own.
  const tab = await guest.context().newPage();
  await tab.goto((await mailbox.wait(person.email, /verify/i)).link);
  await expect(tab.getByRole('heading', { name: 'You are verified!' })).toBeFocused();
  // The tab that waited for that continues by itself.
  await expect(guest).toHaveURL('/upload');
  await click(tab.getByRole('link', { name: 'Record your first entry' }));
  await expect(tab).toHaveURL('/upload');
  await expect(tab.getByRole('button', { name: 'Start Recording' })).toBeVisible();
  expect(count.clicks).toBeLessThanOrEqual(MAX_CLICKS);
  expect(count.fields).toBeLessThanOrEqual(MAX_FIELDS);
});

test('a page that waits for the address to be verified on another device continues by itself', async ({
  app,
  guest,
  mailbox,
  signIn,
  anonymous,
}) => {
  const person = await signUp(app.url, mailbox, false);
  await signIn(guest, person);
  await guest.goto('/journals');
  await expect(guest).toHaveURL('/verify_email');
  await expect(guest.getByText(person.email)).toBeVisible();
  const [, , uid = '', token = ''] = (await mailbox.wait(person.email, /verify/i)).link.split('/');
  await anonymous.call(verifyEmail, { params: { uid, token } });
  await expect(guest).toHaveURL('/upload');
});

test('a page that waits stays where it is while somebody else is signed in', async ({ page, account }) => {
  await page.clock.install();
  const checks: string[] = [];
  page.on('request', (request) => checks.push(...(request.url().match(/check_account_status$/) ?? [])));
  await page.goto('/signup');
  await submitSignup(page, newAccountDetails());
  await page.clock.runFor(60_000);
  await expect(page.getByRole('heading', { name: CHECK_EMAIL })).toBeVisible();
  expect(checks).toEqual([]);
  await page.goto('/settings');
  await expect(page.getByLabel('Email')).toHaveValue(account.email);
});

test('the sign-up form says what it asks for, and leads to the login', async ({ guest }) => {
  await guest.goto('/signup?next=%2Fjournals');
  await expect(guest.getByRole('group', { name: 'About you' })).toHaveAccessibleDescription(
    /^Gender and date of birth are stored with your account/,
  );
  await guest.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await expect(guest).toHaveURL('/login?next=%2Fjournals');
});

test('the sign-up form says when the recording to keep is gone', async ({ guest }) => {
  await guest.goto(`/signup?next=${encodeURIComponent('/upload?keep=gone')}`);
  await expect(guest.getByRole('complementary', { name: 'Your recording' })).toContainText(
    'We can’t find your recording in this browser.',
  );
  await expect(signupButton(guest)).toBeVisible();
});

test('a mistyped address can be corrected, also after a reload', async ({ guest, mailbox }) => {
  const person = newAccountDetails();
  const [mistyped, mistypedAgain] = [newAccountDetails().email, newAccountDetails().email];
  await guest.goto('/signup');
  await submitSignup(guest, { ...person, email: mistyped });
  await expect(guest.getByText(mistyped)).toBeVisible();
  await guest.getByRole('button', { name: 'Correct it' }).click();
  await expect(guest.getByLabel('Email')).toBeFocused();
  await expect(guest.getByLabel('Email')).toHaveValue(mistyped);
  await expect(guest.getByLabel('First name')).toHaveValue(person.firstName);
  await expect(guest.getByLabel('Gender')).toHaveValue(person.gender);
  await expect(guest.getByLabel('Date of birth')).toHaveValue(person.dateOfBirth);
  await expect(guest.getByLabel('Password', { exact: true })).toHaveValue('');
  await guest.getByLabel('Email').fill(mistypedAgain);
  await guest.getByLabel('Password', { exact: true }).fill(person.password);
  await signupButton(guest).click();
  await expect(guest.getByText(mistypedAgain)).toBeVisible();

  await guest.reload();
  await expect(guest).toHaveURL('/verify_email');
  await expect(guest.getByText(mistypedAgain)).toBeVisible();
  await expect(resend(guest)).toHaveAttribute('aria-disabled', 'true');
  await expect(guest.getByText(/^You can send another email in \d+ s\.$/)).toBeVisible();
  await guest.getByRole('link', { name: 'Correct it' }).click();
  await expect(guest.getByLabel('Email')).toBeFocused();
  await expect(guest.getByLabel('Email')).toHaveValue(mistypedAgain);
  await submitSignup(guest, person);
  await guest.goto((await mailbox.wait(person.email, /verify/i)).link);
  await expect(guest.getByRole('link', { name: 'Record your first entry' })).toBeVisible();
});

test('signing up leads back to where it started, on this site only', async ({ guest, mailbox }) => {
  for (const [next, path, button] of [
    ['/settings/plan', '/settings/plan', 'Continue to your plan'],
    ['//elsewhere.example', '/upload', 'Record your first entry'],
  ] as const) {
    await guest.context().clearCookies();
    const person = newAccountDetails();
    await guest.goto(`/signup?next=${encodeURIComponent(next)}`);
    await submitSignup(guest, person);
    await guest.goto((await mailbox.wait(person.email, /verify/i)).link);
    await guest.getByRole('main').getByRole('link', { name: button }).click();
    await expect(guest).toHaveURL(path);
  }
});

test('a used link tells a signed-in person that everything is fine', async ({
  guest,
  mailbox,
  page,
  watch,
}) => {
  watch.allowConsole(/status of 400/);
  const person = newAccountDetails();
  await guest.goto('/signup');
  await submitSignup(guest, person);
  const { link } = await mailbox.wait(person.email, /verify/i);
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: 'You are verified!' })).toBeVisible();
  // The owner, and somebody else.
  for (const browser of [guest, page]) {
    await browser.goto(link);
    await expect(browser.getByRole('heading', { name: 'You’re already verified' })).toBeFocused();
    await expect(browser.getByText('This link is no longer valid.')).toHaveCount(0);
  }
  await guest.getByRole('link', { name: 'Go to your journal' }).click();
  await expect(guest.getByRole('heading', { name: 'Welcome to Your Video Journal' })).toBeVisible();
});

test('a link doesn’t take over a browser that somebody else is signed in to', async ({
  app,
  account,
  mailbox,
  page,
}) => {
  const other = await signUp(app.url, mailbox, false);
  await page.goto((await mailbox.wait(other.email, /verify/i)).link);
  await expect(page.getByRole('heading', { name: 'You are verified!' })).toBeVisible();
  await expect(page.getByText(`This browser is signed in as ${account.email}.`)).toBeVisible();
  await page.goto('/settings');
  await expect(page.getByLabel('Email')).toHaveValue(account.email);
});
