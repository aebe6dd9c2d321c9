import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { mailLinks, users } from '@/db/schema/accounts';
import { readRegisteredCookie } from '@/lib/account/registration/cookies';
import { cookieNames } from '@/lib/foundation/http/cookies';
import { latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import { createAccount, newEmail, signupDetails } from '@/test/auth-fixtures';
import { createRouteBrowser } from '@/test/route-browser';
import * as accountStatus from './check_account_status/route';
import * as register from './register/route';
import * as resend from './resend_verification_email/route';
import * as verify from './verify_email/[uid]/[token]/route';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());
afterEach(() => vi.useRealTimers());

type Browser = ReturnType<typeof createRouteBrowser>;

const signUp = (browser: Browser, email: string, more: object = {}) =>
  browser.send(register, 'POST', '/api/v1/register', { body: { ...signupDetails(email), ...more } });
const askAgain = (browser: Browser) => browser.send(resend, 'POST', '/api/v1/resend_verification_email');
const verifyIn = async (browser: Browser, email: string) => {
  const params = await latestEmailLink(email, 'verify_email');
  return browser.send(verify, 'POST', '/api/v1/verify_email/x/y', { params });
};
const isSignedIn = async (browser: Browser) =>
  (await browser.send(accountStatus, 'GET', '/api/v1/check_account_status')).status === 200;

/** Returns what a browser's cookie says of its sign-up. */
async function registeredIn(browser: Browser) {
  const route = { GET: async () => Response.json(await readRegisteredCookie()) };
  return (await browser.send(route, 'GET', '/')).json;
}
const subjects = async (email: string) => (await queuedEmails(email)).map(({ subject }) => subject);

describe('a sign-up', () => {
  it('is remembered for three days by the browser, hidden from its scripts', async () => {
    const [browser, email] = [createRouteBrowser(), newEmail()];
    const { status, setCookie, json } = await signUp(browser, email, { next: '/upload' });
    expect([status, json]).toEqual([201, { accountStatus: 'NOT_VERIFIED' }]);
    expect(setCookie).toEqual([
      expect.stringMatching(
        /^daylight\.registered=[^;]+; Path=\/; .*Max-Age=259200; HttpOnly; SameSite=lax$/,
      ),
    ]);
    expect(setCookie[0]).not.toContain(email);
    const [user] = await db().select({ id: users.id }).from(users).where(eq(users.email, email));
    expect(await registeredIn(browser)).toEqual({
      ...{ email, accountIds: [user?.id], next: '/upload' },
      askedAt: expect.closeTo(Date.now(), -5),
    });
    expect(await registeredIn(createRouteBrowser())).toBeNull();
  });

  it('remembers five tries with an address, and none with another', async () => {
    const [browser, email] = [createRouteBrowser(), newEmail()];
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      await signUp(browser, email);
      const { accountIds } = await registeredIn(browser);
      if (n < 5) ids.push(accountIds.at(-1));
      expect(accountIds).toEqual(ids);
    }
    expect(new Set(ids).size).toBe(5);
    const other = newEmail();
    await signUp(browser, other);
    expect(await registeredIn(browser)).toMatchObject({ email: other, accountIds: [expect.any(String)] });
  });

  it('tells the browser the same for an address that’s taken', async () => {
    const [browser, email] = [createRouteBrowser(), newEmail()];
    const id = await createAccount(email);
    const { status, json } = await signUp(browser, email);
    expect([status, json]).toEqual([201, { accountStatus: 'NOT_VERIFIED' }]);
    const { accountIds } = await registeredIn(browser);
    expect(accountIds).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(accountIds).not.toContain(id);
  });
});

describe('the link in the email', () => {
  it('signs the browser in that signed up, which then forgets that', async () => {
    const [browser, email] = [createRouteBrowser(), newEmail()];
    await signUp(browser, email);
    expect(await isSignedIn(browser)).toBe(false);
    const { status, json } = await verifyIn(browser, email);
    expect([status, json]).toEqual([200, { accountStatus: 'VERIFIED' }]);
    expect(await isSignedIn(browser)).toBe(true);
    const { access, refresh, device } = cookieNames();
    expect([...browser.jar.keys()].sort()).toEqual([access, refresh, device].sort());
  });

  it('signs in no other browser, and leaves what that one has signed up for', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const [browser, elsewhere] = [createRouteBrowser(), createRouteBrowser()];
    await signUp(browser, email);
    await signUp(elsewhere, other);
    expect((await verifyIn(elsewhere, email)).json).toEqual({ accountStatus: 'VERIFIED' });
    expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([false, false]);
    expect(await registeredIn(elsewhere)).toMatchObject({ email: other });
    expect(await registeredIn(browser)).toMatchObject({ email });
  });
});

describe('another email', () => {
  it('is sent a minute after the last one, to the browser that signed up', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [browser, email] = [createRouteBrowser(), newEmail()];
    await signUp(browser, email);
    const early = await askAgain(browser);
    expect([early.status, early.json.code]).toEqual([429, 'rate_limited']);
    const before = await registeredIn(browser);
    await db().update(mailLinks).set({ createdAt: sql`now() - interval '61 seconds'` });
    vi.setSystemTime(Date.now() + 60_001);
    expect((await askAgain(browser)).status).toBe(200);
    expect(await registeredIn(browser)).toEqual({ ...before, askedAt: Date.now() });
    expect((await askAgain(browser)).status).toBe(429);
    expect(await subjects(email)).toHaveLength(2);
  });

  it('is for nobody else', async () => {
    const { status, json } = await askAgain(createRouteBrowser());
    expect([status, json.code]).toEqual([401, 'unauthenticated']);
  });
});
