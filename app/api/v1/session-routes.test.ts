import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { refreshTokens, sessions } from '@/db/schema/accounts';
import { setSealedCookie } from '@/lib/account/providers/cookies';
import { linkAccount } from '@/lib/account/providers/service';
import { authenticate } from '@/lib/account/sessions/service';
import { cookieNames } from '@/lib/foundation/http/cookies';
import { latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import {
  createAccount,
  enableAuthenticatorApp,
  makeProviderAccount,
  NEW_PASSWORD,
  newEmail,
  PASSWORD,
  registerPasskey,
  signInUser,
} from '@/test/auth-fixtures';
import { createRouteBrowser } from '@/test/route-browser';
import * as deletion from './account_deletion/route';
import * as accountStatus from './check_account_status/route';
import * as loginByCode from './login/code/route';
import * as passkeyOptions from './login/passkey/options/route';
import * as loginByPasskey from './login/passkey/route';
import * as login from './login/route';
import * as logout from './logout/route';
import * as reset from './reset/[uidb64]/[token]/route';
import * as requestReset from './reset_password/route';
import * as refresh from './token/refresh/route';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

type Browser = ReturnType<typeof createRouteBrowser>;

const logInWith = (browser: Browser, email: string, password = PASSWORD) =>
  browser.send(login, 'POST', '/api/v1/login', { body: { email, password } });
async function isSignedIn(browser: Browser): Promise<boolean> {
  const { status } = await browser.send(accountStatus, 'GET', '/api/v1/check_account_status');
  expect([200, 401]).toContain(status);
  return status === 200;
}
const renew = (browser: Browser) => browser.send(refresh, 'POST', '/api/v1/token/refresh');

/** A browser in which a new account has logged in. */
async function signedIn() {
  const [browser, email] = [createRouteBrowser(), newEmail()];
  const id = await createAccount(email);
  await logInWith(browser, email);
  return { browser, email, id };
}

describe('a login', () => {
  it('gives the browser its session, hidden from scripts and from other sites', async () => {
    const { access, refresh: renewal, device } = cookieNames();
    const [browser, email] = [createRouteBrowser(), newEmail()];
    await createAccount(email);
    const { status, json, setCookie } = await logInWith(browser, email);
    expect([status, json]).toEqual([200, { accountStatus: 'VERIFIED' }]);
    expect([...browser.jar.keys()].sort()).toEqual([access, renewal, device].sort());
    expect(setCookie).toHaveLength(3);
    for (const line of setCookie) expect(line).toMatch(/; Path=\/; .*HttpOnly; SameSite=lax$/);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('gives it nothing for a wrong password', async () => {
    const [browser, email] = [createRouteBrowser(), newEmail()];
    await createAccount(email);
    expect((await logInWith(browser, email, NEW_PASSWORD)).json.code).toBe('invalid_credentials');
    expect(browser.jar.size).toBe(0);
  });

  it('works with a passkey', async () => {
    const { user } = await signInUser(await createAccount());
    const { authenticator } = await registerPasskey(user);
    const browser = createRouteBrowser();
    const asked = await browser.send(passkeyOptions, 'POST', '/api/v1/login/passkey/options');
    const credential = authenticator.assert(asked.json.options.challenge);
    const answer = await browser.send(loginByPasskey, 'POST', '/api/v1/login/passkey', {
      body: { credential },
    });
    expect(answer.json).toEqual({ accountStatus: 'VERIFIED' });
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe('a sign-in by a provider that waits for a code', () => {
  const PENDING = 'daylight.pending';
  const send = (browser: Browser, code: string) =>
    browser.send(loginByCode, 'POST', '/api/v1/login/code', { body: { code } });

  it('ends with one, once', async () => {
    const [google, browser] = [makeProviderAccount(), createRouteBrowser()];
    const { user } = await signInUser(await createAccount());
    await linkAccount(user, google);
    const [code = ''] = (await enableAuthenticatorApp(user)).recoveryCodes;
    const route = {
      async POST() {
        await setSealedCookie('pending', { userId: user.id, account: google, next: '/' });
        return Response.json({});
      },
    };
    const { setCookie } = await browser.send(route, 'POST', '/');
    expect(setCookie).toEqual([expect.stringMatching(/; .*Max-Age=600; HttpOnly; SameSite=lax$/)]);
    expect((await send(browser, '000 000')).status).toBe(400);
    expect([browser.jar.has(PENDING), await isSignedIn(browser)]).toEqual([true, false]);
    expect((await send(browser, code)).json).toEqual({ accountStatus: 'VERIFIED' });
    expect([browser.jar.has(PENDING), await isSignedIn(browser)]).toEqual([false, true]);
  });

  it('is for nobody else, nor for a cookie of another kind', async () => {
    const browser = createRouteBrowser();
    expect((await send(browser, '123456')).status).toBe(401);
    const route = {
      async POST() {
        await setSealedCookie('connecting', { userId: 'x', sessionId: 'x', provider: 'google' });
        return Response.json({});
      },
    };
    await browser.send(route, 'POST', '/');
    browser.jar.set(PENDING, browser.jar.get('daylight.connecting') ?? '');
    expect((await send(browser, '123456')).status).toBe(401);
  });
});

describe('a session', () => {
  it('is renewed with new cookies', async () => {
    const { browser } = await signedIn();
    const { access, refresh: renewal } = cookieNames();
    const before = new Map(browser.jar);
    browser.jar.delete(access);
    expect(await isSignedIn(browser)).toBe(false);
    const { status, json } = await renew(browser);
    expect([status, json]).toEqual([200, { access: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    expect(browser.jar.get(renewal)).not.toBe(before.get(renewal));
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('leaves a browser without cookies once it has expired', async () => {
    const { browser, id } = await signedIn();
    const past = { expiresAt: sql`now() - interval '1 second'` };
    const own = db().select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, id));
    await db().update(refreshTokens).set(past).where(sql`${refreshTokens.sessionId} in ${own}`);
    const { access, refresh: renewal } = cookieNames();
    const { status, json } = await renew(browser);
    expect([status, json.fields]).toEqual([401, { session: 'expired' }]);
    expect([browser.jar.has(access), browser.jar.has(renewal)]).toEqual([false, false]);
    expect((await renew(createRouteBrowser())).json.fields).toEqual({ session: 'expired' });
  });

  it('that was ended is told to each tab of the browser', async () => {
    const { browser, id } = await signedIn();
    await db().update(sessions).set({ revokedAt: sql`now()` }).where(eq(sessions.userId, id));
    for (let tab = 0; tab < 2; tab += 1)
      expect((await renew(browser)).json.fields).toEqual({ session: 'ended' });
    expect(browser.jar.has(cookieNames().refresh)).toBe(true);
  });

  it('ends with a logout, on the server too', async () => {
    const { browser } = await signedIn();
    const { access, refresh: renewal } = cookieNames();
    const kept = new Map(browser.jar);
    expect((await browser.send(logout, 'GET', '/api/v1/logout')).status).toBe(200);
    expect([browser.jar.has(access), browser.jar.has(renewal)]).toEqual([false, false]);
    expect(await authenticate(kept.get(access))).toBeNull();
    const thief = createRouteBrowser();
    for (const [name, value] of kept) thief.jar.set(name, value);
    expect([await isSignedIn(thief), (await renew(thief)).status]).toEqual([false, 401]);
  });

  it('ends in this browser too when the account is to be deleted', async () => {
    const { browser } = await signedIn();
    const body = { currentPassword: PASSWORD };
    const path = '/api/v1/account_deletion';
    expect((await browser.send(deletion, 'GET', path)).status).toBe(200);
    expect((await browser.send(deletion, 'POST', path, { body })).json).toHaveProperty('erasesAt');
    expect(browser.jar.has(cookieNames().access)).toBe(false);
  });
});

describe('a forgotten password', () => {
  const ask = (browser: Browser, email: string) =>
    browser.send(requestReset, 'POST', '/api/v1/reset_password', { body: { email } });

  it('is replaced by a link, which logs this browser out', async () => {
    const { browser, email } = await signedIn();
    expect((await ask(createRouteBrowser(), email)).status).toBe(200);
    const { uid: uidb64, token } = await latestEmailLink(email, 'reset');
    const sent = { params: { uidb64, token }, body: { newPassword: NEW_PASSWORD } };
    expect((await browser.send(reset, 'POST', '/api/v1/reset/x/y', sent)).status).toBe(200);
    const { access, refresh: renewal } = cookieNames();
    expect([browser.jar.has(access), browser.jar.has(renewal)]).toEqual([false, false]);
    expect((await logInWith(browser, email)).json.code).toBe('invalid_credentials');
    expect((await logInWith(browser, email, NEW_PASSWORD)).status).toBe(200);
    expect((await browser.send(reset, 'POST', '/api/v1/reset/x/y', sent)).status).not.toBe(200);
  });

  it('is asked for a few times only, and of an address without an account in the same way', async () => {
    const [known, unknown] = [newEmail(), newEmail()];
    await createAccount(known);
    const answers = [];
    for (const email of [known, unknown]) {
      const browser = createRouteBrowser();
      const seen = [];
      for (let n = 0; n < 12; n += 1) seen.push((await ask(browser, email)).status);
      answers.push(seen);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toContain(429);
    expect(await queuedEmails(unknown)).toEqual([]);
  });
});
