import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, type Page } from '@playwright/test';
import { register } from '@/lib/account/registration/contract';
import { projectRoot } from '@/local/up/data-dir';
import { newAccountDetails } from './accounts';
import { createClient } from './client';
import { openMailbox } from './mailbox';
import { test } from './own-copy';
import type { RunningApp } from './running-app';

test.setTimeout(400_000);

/** Every other setting that the program asks for. It uses the database alone. */
const UNUSED_SETTINGS = {
  S3_REGION: 'none',
  S3_BUCKET: 'none',
  S3_ACCESS_KEY_ID: 'none',
  S3_SECRET_ACCESS_KEY: 'none',
  INNGEST_EVENT_KEY: 'none',
  INNGEST_SIGNING_KEY: 'none',
  RESEND_API_KEY: 'none',
  MAIL_FROM: 'none@daylight.local',
};

/** Runs `npm run daylight -- users` beside a copy of the app, and returns what it prints. */
async function runUsers(app: RunningApp, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/users.ts', ...args], {
    cwd: projectRoot,
    env: {
      ...process.env,
      ...UNUSED_SETTINGS,
      NODE_ENV: 'production',
      SIGNUP: 'invite',
      APP_URL: app.url,
      AUTH_SECRET: app.secrets.authSecret,
      DATABASE_URL: app.addresses.database,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(code).toBe(0);
  return output;
}

async function expectNoSignup(page: Page): Promise<void> {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Log in to your journal' })).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Login' })).toBeVisible();
  await expect(page.locator('a[href^="/signup"]')).toHaveCount(0);
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Reset Password' })).toBeVisible();
  await expect(page.getByText('Signup')).toHaveCount(0);
}

test('people sign up by invitation, and nobody once sign-up is closed', async ({ own, browser }) => {
  const app = await own.start({ SIGNUP: 'invite' });
  const page = await browser.newPage({ baseURL: app.url });
  await expectNoSignup(page);
  await page.goto('/signup');
  await expect(page.getByText('You need an invitation to sign up on this site.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Signup' })).toHaveCount(0);

  const person = newAccountDetails();
  await runUsers(app, 'invite', person.email);
  const mail = await openMailbox(app).wait(person.email, /invited to Daylight/);
  const [link = ''] = /\/signup\?invite=[\w-]+/.exec(mail.text) ?? [];
  await page.goto(link);
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await expect(page.getByLabel('Email')).not.toBeEditable();
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Gender').selectOption(person.gender);
  await page.getByLabel('Date of birth').fill(person.dateOfBirth);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Signup' }).click();
  // The email has shown whose address it is, so nothing is left to verify.
  await expect(page).toHaveURL('/upload');
  await runUsers(app, 'disable', person.email);
  await page.goto('/journals');
  await expect(page).toHaveURL(/\/login\?next=/);
  await page.goto(link);
  await expect(page.getByText('This invitation is no longer valid.')).toBeVisible();

  await app.stop();
  const closed = await own.start({ SIGNUP: 'closed', PORT: new URL(app.url).port });
  await expectNoSignup(page);
  await page.goto('/signup');
  await expect(page.getByText('Sign-up is closed on this site.')).toBeVisible();
  const refused = await createClient(closed.url).sendOperation(register, { body: newAccountDetails() });
  expect([refused.status, await refused.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'conflict', message: 'Sign-up is closed on this site.' }),
  ]);

  await runUsers(closed, 'enable', person.email);
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to Your Video Journal' })).toBeVisible();
});
