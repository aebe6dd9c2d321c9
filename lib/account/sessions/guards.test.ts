import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as acknowledge from '@/app/api/v1/account_deletion/acknowledge/route';
import * as deletion from '@/app/api/v1/account_deletion/route';
import * as login from '@/app/api/v1/login/route';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { setPageHeaders } from '@/lib/foundation/http/page-headers';
import { useFreshDatabase } from '@/test/app-database';
import { createAccount, newEmail, PASSWORD } from '@/test/auth-fixtures';
import { createRouteBrowser } from '@/test/route-browser';
import { requireUser } from './guards';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

type Browser = ReturnType<typeof createRouteBrowser>;

const PATH = '/entry/1?t=5';
const NEXT = `next=${encodeURIComponent(PATH)}`;
const page = { GET: async () => Response.json(await requireUser()) };

/** Opens a page as middleware lets it through. @returns whose page it is, or where it leads instead */
async function open(browser: Browser) {
  const headers = new Headers();
  setPageHeaders(headers, { nonce: 'n', path: PATH, isSessionUnknown: false });
  const { json, location } = await browser.send(page, 'GET', PATH, { headers: Object.fromEntries(headers) });
  return location ?? json.id;
}

async function logIn(email: string) {
  const browser = createRouteBrowser();
  await browser.send(login, 'POST', '/api/v1/login', { body: { email, password: PASSWORD } });
  return browser;
}

it('sends visitors to log in, and back to the page', async () => {
  expect(await open(createRouteBrowser())).toBe(`/login?${NEXT}`);
  const forged = createRouteBrowser();
  expect((await forged.send(page, 'GET', PATH, { headers: { 'x-path': PATH } })).location).toBe(
    '/login?next=%2F',
  );
});

it('shows its page to a verified owner alone', async () => {
  const email = newEmail();
  const id = await createAccount(email);
  const browser = await logIn(email);
  expect(await open(browser)).toBe(id);
  await db().update(users).set({ verifiedAt: null }).where(eq(users.id, id));
  expect(await open(browser)).toBe('/verify_email');
});

it('asks an owner whose account will be deleted whether to keep it, once in each session', async () => {
  const email = newEmail();
  const id = await createAccount(email);
  const browser = await logIn(email);
  const body = { currentPassword: PASSWORD };
  await browser.send(deletion, 'POST', '/api/v1/account_deletion', { body });
  const [one, other] = [await logIn(email), await logIn(email)];
  for (const each of [one, other]) expect(await open(each)).toBe(`/account_deletion?${NEXT}`);
  expect((await one.send(acknowledge, 'POST', '/api/v1/account_deletion/acknowledge')).status).toBe(200);
  expect([await open(one), await open(other)]).toEqual([id, `/account_deletion?${NEXT}`]);
});
