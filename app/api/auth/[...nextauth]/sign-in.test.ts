import type { Account, Profile } from 'next-auth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setSealedCookie } from '@/lib/account/providers/cookies';
import { linkAccount } from '@/lib/account/providers/service';
import { endSession } from '@/lib/account/sessions/service';
import { cookieNames } from '@/lib/foundation/http/cookies';
import { useFreshDatabase } from '@/test/app-database';
import { createAccount, enableAuthenticatorApp, makeProviderAccount, signInUser } from '@/test/auth-fixtures';
import { createRouteBrowser } from '@/test/route-browser';
import { signIn } from './sign-in';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

type Browser = ReturnType<typeof createRouteBrowser>;
type ProviderAccount = ReturnType<typeof makeProviderAccount>;

/** Returns from a provider. @returns where it leads, and whether the browser has a session */
async function returnFrom(browser: Browser, { provider, id, email }: ProviderAccount) {
  const account = { provider, providerAccountId: id, type: 'oauth' } as Account;
  const profile = { email, email_verified: true, name: 'Eve Lurker' } as Profile;
  const route = { GET: async () => Response.json(await signIn(account, profile)) };
  const { json } = await browser.send(route, 'GET', `/api/auth/callback/${provider}`);
  return { leadsTo: json, isSignedIn: browser.jar.has(cookieNames().access) };
}

/** Says in a browser that an account at Google is to be connected to a person's. */
const connect = (browser: Browser, user: { id: string; sessionId: string }) =>
  browser.send(
    {
      async POST() {
        const { id: userId, sessionId } = user;
        await setSealedCookie('connecting', { userId, sessionId, provider: 'google' });
        return Response.json({});
      },
    },
    'POST',
    '/',
  );

describe('a sign-in by a provider', () => {
  it('gives the browser a session', async () => {
    const [browser, google] = [createRouteBrowser(), makeProviderAccount()];
    await linkAccount((await signInUser(await createAccount())).user, google);
    expect(await returnFrom(browser, google)).toEqual({ leadsTo: '/', isSignedIn: true });
  });

  it('leads to the question for a code, and gives no session before, where an app is on', async () => {
    const [browser, google] = [createRouteBrowser(), makeProviderAccount()];
    const { user } = await signInUser(await createAccount());
    await linkAccount(user, google);
    await enableAuthenticatorApp(user);
    expect(await returnFrom(browser, google)).toEqual({ leadsTo: '/login/code', isSignedIn: false });
    expect([...browser.jar.keys()]).toEqual(['daylight.pending']);
  });

  it('without an address leads back to the login', async () => {
    const [browser, google] = [createRouteBrowser(), makeProviderAccount({ email: null })];
    const { leadsTo, isSignedIn } = await returnFrom(browser, google);
    expect([leadsTo, isSignedIn]).toEqual([expect.stringMatching(/^\/login\?error=\w+&next=%2F$/), false]);
  });
});

describe('connecting a provider', () => {
  it('adds it to the account that asked, once', async () => {
    const [browser, google] = [createRouteBrowser(), makeProviderAccount()];
    const { user } = await signInUser(await createAccount());
    await connect(browser, user);
    expect(await returnFrom(browser, google)).toEqual({ leadsTo: '/settings/security', isSignedIn: false });
    expect(browser.jar.size).toBe(0);
    expect(await returnFrom(createRouteBrowser(), google)).toEqual({ leadsTo: '/', isSignedIn: true });
  });

  it('adds none where the session has ended, or another provider answers', async () => {
    for (const provider of ['google', 'github'] as const) {
      const { user, tokens } = await signInUser(await createAccount());
      const [browser, account] = [createRouteBrowser(), makeProviderAccount({ provider })];
      await connect(browser, user);
      if (provider === 'google') await endSession(tokens);
      expect((await returnFrom(browser, account)).leadsTo).not.toContain('/settings/security');
    }
  });
});
