import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { acknowledgeDeletion, requestDeletion } from '@/lib/account/deletion/service';
import { cookieNames } from '@/lib/foundation/http/cookies';
import { setPageHeaders } from '@/lib/foundation/http/page-headers';
import { useFreshDatabase } from '@/test/app-database';
import { createAccount, PASSWORD, signInUser } from '@/test/auth-fixtures';
import { newClientInfo } from '@/test/client-info';
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

/** A browser in which somebody is signed in. */
async function signedIn(id: string) {
  const { user, tokens } = await signInUser(id);
  const browser = createRouteBrowser();
  browser.jar.set(cookieNames().access, tokens.access);
  return { browser, user };
}

it('sends visitors to log in, and back to the page', async () => {
  expect(await open(createRouteBrowser())).toBe(`/login?${NEXT}`);
  const forged = createRouteBrowser();
  expect((await forged.send(page, 'GET', PATH, { headers: { 'x-path': PATH } })).location).toBe(
    '/login?next=%2F',
  );
});

it('shows its page to a verified owner alone', async () => {
  const id = await createAccount();
  const { browser } = await signedIn(id);
  expect(await open(browser)).toBe(id);
  await db().update(users).set({ verifiedAt: null }).where(eq(users.id, id));
  expect(await open(browser)).toBe('/verify_email');
});

it('asks an owner whose account will be deleted whether to keep it, once in each session', async () => {
  const id = await createAccount();
  const { user } = await signedIn(id);
  await requestDeletion(user, { currentPassword: PASSWORD }, newClientInfo());
  const [one, other] = [await signedIn(id), await signedIn(id)];
  for (const { browser } of [one, other]) expect(await open(browser)).toBe(`/account_deletion?${NEXT}`);
  await acknowledgeDeletion(one.user);
  expect([await open(one.browser), await open(other.browser)]).toEqual([id, `/account_deletion?${NEXT}`]);
});
