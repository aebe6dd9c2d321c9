import { test as base, expect, type Page } from '@playwright/test';
import postgres from 'postgres';
import type { Entry } from '@/lib/journal/entries/contract';
import { type Account, seedAccount } from './accounts';
import {
  type Client,
  createClient,
  type ProcessingStage,
  type Upload,
  uploadVideo,
  waitForProcessing,
} from './client';
import { type ErrorWatcher, watchErrors } from './error-watcher';
import { type Mailbox, openMailbox } from './mailbox';
import type { App } from './running-app';
import { translatePages } from './translation';

interface WorkerFixtures {
  /** The running copy of Daylight. */
  app: App;
  mailbox: Mailbox;
  /** Its database, for states that no person can bring about quickly. */
  sql: postgres.Sql;
}

interface TestFixtures {
  /** Whether all pages are translated, as Chrome does. */
  translated: boolean;
  /** Fails the test at its end on console errors, page errors and errors in the log that it has not allowed. */
  watch: ErrorWatcher & { problems(): string[] };
  /** A fresh account, verified and signed in. */
  account: Account;
  /** Opens one more account. */
  newAccount(options?: { verified?: boolean }): Promise<Account>;
  /** The API as `account`. */
  api: Client;
  /** The API as nobody. */
  anonymous: Client;
  /** A browser page that is signed in as `account`. */
  page: Page;
  /** A browser page that is signed in as nobody, in a context of its own. */
  guest: Page;
  /** Signs a page's browser in with the session of an account. */
  signIn(page: Page, account: Account): Promise<void>;
  /** Uploads a file as `account` and waits until its video, or its transcript too, has come to its end. */
  upload(path: string, options?: Upload & { wait?: ProcessingStage }): Promise<Entry>;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  app: [
    async ({}, use) => {
      await use(JSON.parse(process.env.E2E_APP ?? '') as App);
    },
    { scope: 'worker' },
  ],
  mailbox: [async ({ app }, use) => use(openMailbox(app)), { scope: 'worker' }],
  sql: [
    async ({ app }, use) => {
      const sql = postgres(app.addresses.database, { max: 2, onnotice: () => undefined });
      await use(sql);
      await sql.end();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ app }, use) => use(app.url),
  watch: [
    async ({ app }, use) => {
      const watch = watchErrors(app);
      await use(watch);
      expect(watch.problems(), 'nothing unexpected in the console and in the log').toEqual([]);
    },
    { auto: true },
  ],
  translated: [false, { option: true }],
  context: async ({ context, watch, translated }, use) => {
    watch.observe(context);
    if (translated) await translatePages(context);
    await use(context);
  },
  newAccount: async ({ app, sql }, use) => {
    await use(({ verified = true } = {}) => seedAccount(app.url, sql, verified));
  },
  account: async ({ newAccount }, use) => use(await newAccount()),
  api: async ({ account }, use) => use(account.api),
  anonymous: async ({ app }, use) => use(createClient(app.url)),
  signIn: async ({ app }, use) => {
    await use(async (page, { api }) => {
      const { hostname } = new URL(app.url);
      const cookies = [...api.cookies].map(([name, value]) => ({ name, value, domain: hostname, path: '/' }));
      await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, httpOnly: true })));
    });
  },
  page: async ({ page, account, signIn }, use) => {
    await signIn(page, account);
    await use(page);
  },
  guest: async ({ browser, baseURL, watch, contextOptions, translated }, use) => {
    const context = await browser.newContext({
      ...contextOptions,
      baseURL,
      locale: 'en-US',
      timezoneId: 'UTC',
    });
    watch.observe(context);
    if (translated) await translatePages(context);
    await use(await context.newPage());
    await context.close();
  },
  upload: async ({ api }, use) => {
    await use(async (path, { wait = 'video', ...options } = {}) =>
      waitForProcessing(api, await uploadVideo(api, path, options), wait),
    );
  },
});

export { expect };
