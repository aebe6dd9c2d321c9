import { newAccountDetails, signupFields } from '@/e2e/accounts';
import { type BrowserPage, button, css, field, link, see, seePath, text, Unsupported, until } from '../page';
import type { Journey } from './journey';

/** Logs out, which the page does by itself. */
async function logOut(page: BrowserPage): Promise<void> {
  await page.goto('/logout');
  // A browser may say where it was before, so the path alone isn't enough. The login page redirects people who are signed in.
  const showsLogin = () => page.evaluate(async () => (await fetch('/login', { redirect: 'manual' })).ok);
  await until('logged out', showsLogin);
}

export const signUp: Journey = {
  name: 'Sign up and verify',
  async run({ page, site }) {
    const person = newAccountDetails();
    await logOut(page);
    await page.goto('/signup');
    for (const [label, value] of signupFields(person)) await page.fill(field(label), value);
    await page.click(button('Signup'));
    await see(page, text('Please check your email to finish verifying your account.'));
    await page.goto((await site.mailbox.wait(person.email)).link);
    await see(page, text('You are verified!'));
    await page.goto('/');
    await see(page, text('Total Entries: 0'));
  },
};

export const logIn: Journey = {
  name: 'Log in and out',
  async run({ page, account }) {
    await logOut(page);
    await page.goto('/login');
    await page.fill(field('Email'), account.email);
    await page.fill(field('Password'), account.password);
    await page.click(button('Login'));
    await see(page, text('Total Entries:'));
    await page.click(button('Account menu'));
    await page.click(link('Logout'));
    await seePath(page, '/login');
  },
};

export const passkey: Journey = {
  name: 'Passkey',
  async run({ page, account }) {
    await page.goto('/settings/security');
    if (!(await page.evaluate(() => 'PublicKeyCredential' in window))) {
      await see(page, text('This browser can’t use passkeys.'));
      if (await page.count(button('Add a passkey'))) throw new Error('It offers what this browser can’t do.');
      throw new Unsupported('no WebAuthn; the settings say so');
    }
    await page.allowPasskeys();
    await page.click(button('Add a passkey'));
    await page.fill(field('Name'), 'My laptop');
    await page.fill(css('form:has(input[name=name]) input[type=password]'), account.password);
    await page.click(button('Add passkey'));
    await see(page, text('My laptop'));
    await page.goto('/logout');
    // Some browsers take up the offer at the email field by themselves.
    const signedIn = async () => (await page.count(text('Total Entries:'))) > 0;
    await until(
      'the login page',
      async () => (await signedIn()) || (await page.count(button('Sign in with a passkey'))) > 0,
    );
    if (!(await signedIn())) await page.click(button('Sign in with a passkey')).catch(() => {});
    await until('signed in by the passkey', signedIn);
  },
};
