import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from '@playwright/test';
import postgres from 'postgres';
import { listSessions } from '@/lib/account/sessions/contract';
import { checkSetupCode, setUp } from '@/lib/account/setup/contract';
import { projectRoot } from '@/local/up/data-dir';
import { newAccountDetails } from './accounts';
import { createClient } from './client';
import { expectAccessibleInEveryAppearance } from './journeys/axe';
import { test } from './own-copy';
import type { RunningApp } from './running-app';

test.setTimeout(400_000);

/** Runs `npm run db:migrate -- --new-setup-code`, with nothing but the database. Returns the last line that it prints. */
async function printSetupCode({ url, addresses }: RunningApp): Promise<string> {
  const program = ['--import', 'tsx', 'scripts/migrate.ts', '--new-setup-code'];
  const child = spawn(process.execPath, program, {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      DATABASE_URL: addresses.database,
      APP_URL: url,
      SETUP_CODE: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(code).toBe(0);
  return output.trim().split('\n').at(-1) ?? '';
}

test('the setup code makes the first account, once', async ({ own, browser }) => {
  const app = await own.start({ SIGNUP: 'invite' });
  const line = await printSetupCode(app);
  const [, address = '', code = ''] = /at (\S+) with the setup code (\d{4} \d{4})$/.exec(line) ?? [];
  expect(address).toBe(`${app.url}/setup`);
  const wrong = code.startsWith('1') ? '2222 2222' : '1111 1111';

  const page = await browser.newPage({ baseURL: app.url });
  for (const path of ['/signup', '/login', '/']) {
    await page.goto(path);
    await expect(page.getByRole('link', { name: 'Enter the setup code' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Enter the setup code' }).click();
  await expect(page).toHaveURL('/setup');
  await expect(page).toHaveTitle('Setup · Daylight');
  await expect(page.getByRole('heading', { name: 'Let’s set up your Daylight' })).toBeVisible();
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
  const [codeField, check, open] = [
    page.getByRole('textbox', { name: 'Setup code' }),
    page.getByRole('button', { name: 'Check code' }),
    page.getByRole('button', { name: 'Open Daylight' }),
  ];
  const firstName = page.getByLabel('First name');
  await expect(firstName).toBeDisabled();
  await expect(open).toBeDisabled();

  // Ten wrong codes, one of them here.
  await codeField.fill(wrong);
  await codeField.press('Enter');
  await expect(codeField).toHaveAccessibleDescription('That isn’t the setup code. Check it and try again.');
  await expect(codeField).toBeFocused();
  await expectAccessibleInEveryAppearance(page);
  const stranger = createClient(app.url);
  for (let count = 0; count < 9; count += 1) {
    const refused = await stranger.sendOperation(checkSetupCode, { body: { code: wrong } });
    expect([refused.status, (await refused.json()).code]).toEqual([400, 'validation_failed']);
  }
  await codeField.fill(code);
  await check.click();
  await expect(codeField).toHaveAccessibleDescription(/^Too many wrong codes\. Try again in \d+ minutes\.$/);
  const person = newAccountDetails();
  const closed = await stranger.sendOperation(setUp, { body: { ...person, code } });
  expect([closed.status, (await closed.json()).code]).toEqual([429, 'rate_limited']);
  expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(3000);
  await expect(firstName).toBeDisabled();

  const sql = postgres(app.addresses.database, { max: 1 });
  await sql`update setup set closed_until = now()`;
  await sql.end();
  await codeField.fill(code.replace(' ', '-'));
  await check.click();
  await expect(page.getByRole('status').filter({ hasText: 'That’s the one.' })).toBeVisible();
  await expect(firstName).toBeFocused();
  await expectAccessibleInEveryAppearance(page);

  // What's missing is said at its field, and what was typed stays.
  await firstName.fill('Robin');
  await open.click();
  await expect(page.getByLabel('Last name')).toBeFocused();
  await expect(page.getByLabel('Last name')).toHaveAccessibleDescription('Enter your last name.');
  await page.getByLabel('Last name').fill('Moreno');
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
  await open.click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Welcome to Your Video Journal' })).toBeVisible();

  // Verified, signed in, and the last one that came this way.
  const owner = createClient(app.url);
  for (const { name, value } of await page.context().cookies()) owner.cookies.set(name, value);
  expect((await owner.call(listSessions)).sessions).toHaveLength(1);
  for (const visitor of [page, await browser.newPage({ baseURL: app.url })]) {
    expect((await visitor.goto('/setup'))?.status()).toBe(404);
    await expect(visitor.getByText('We can’t find that page')).toBeVisible();
  }
  for (const operation of [checkSetupCode, setUp]) {
    const gone = await stranger.sendOperation(operation, { body: { ...person, code } });
    expect([gone.status, (await gone.json()).code]).toEqual([404, 'not_found']);
  }
  const visitor = await browser.newPage({ baseURL: app.url });
  for (const path of ['/', '/login', '/signup']) {
    await visitor.goto(path);
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(visitor.locator('a[href="/setup"]')).toHaveCount(0);
  }
});
