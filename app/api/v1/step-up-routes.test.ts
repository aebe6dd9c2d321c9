import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSealedCookie } from '@/lib/account/providers/cookies';
import { twoFactorState } from '@/lib/account/two-factor/service';
import { useFreshDatabase } from '@/test/app-database';
import { createAccount, enableAuthenticatorApp, newEmail, PASSWORD, signInUser } from '@/test/auth-fixtures';
import { createRouteBrowser } from '@/test/route-browser';
import * as connect from './identities/[provider]/connect/route';
import * as login from './login/route';
import * as disable from './two_factor/disable/route';
import * as renewCodes from './two_factor/recovery_codes/route';
import * as setUp from './two_factor/setup/route';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase({
    settings: { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
  });
});
afterAll(() => takeDown());

/** A browser in which a new account has logged in, with an authenticator app if that's wanted. */
async function signedIn({ app = false } = {}) {
  const [browser, email] = [createRouteBrowser(), newEmail()];
  const id = await createAccount(email);
  await browser.send(login, 'POST', '/api/v1/login', { body: { email, password: PASSWORD } });
  const codes = app ? (await enableAuthenticatorApp((await signInUser(id)).user)).recoveryCodes : [];
  return { browser, id, codes };
}
type Browser = Awaited<ReturnType<typeof signedIn>>['browser'];

/** Sends what should need a proof, first with less than that. */
async function expectNeedsProof(send: (body: object) => ReturnType<Browser['send']>, code?: string) {
  const less = [
    {},
    { currentPassword: 'not it' },
    ...(code ? [{ currentPassword: PASSWORD }, { code }] : []),
  ];
  for (const body of less) {
    const { status, json } = await send(body);
    expect([status, json.code]).toEqual([400, 'validation_failed']);
  }
  return send({ currentPassword: PASSWORD, ...(code && { code }) });
}

describe('a stranger at somebody’s open session', () => {
  it('can’t set up an authenticator app', async () => {
    const { browser } = await signedIn();
    const send = (body: object) => browser.send(setUp, 'POST', '/api/v1/two_factor/setup', { body });
    const { status, json } = await expectNeedsProof(send);
    expect(status).toBe(200);
    expect(new TOTP({ secret: Secret.fromBase32(json.secret) }).generate()).toMatch(/^\d{6}$/);
  });

  it('can’t turn it off', async () => {
    const { browser, id, codes } = await signedIn({ app: true });
    const send = async (body: object) => {
      expect(await twoFactorState(id)).toMatchObject({ enabled: true });
      return browser.send(disable, 'POST', '/api/v1/two_factor/disable', { body });
    };
    expect((await expectNeedsProof(send, codes[0])).status).toBe(200);
    expect(await twoFactorState(id)).toMatchObject({ enabled: false });
  });

  it('can’t get new recovery codes', async () => {
    const { browser, codes } = await signedIn({ app: true });
    const send = (body: object) =>
      browser.send(renewCodes, 'POST', '/api/v1/two_factor/recovery_codes', { body });
    const { recoveryCodes } = (await expectNeedsProof(send, codes[0])).json;
    expect(recoveryCodes).toHaveLength(10);
    expect(recoveryCodes.some((one: string) => codes.includes(one))).toBe(false);
  });

  it('can’t connect a provider, and nobody one that the site doesn’t have', async () => {
    const { browser, id } = await signedIn();
    const at = (provider: string) => (body: object) =>
      browser.send(connect, 'POST', '/api/v1/identities/x/connect', { body, params: { provider } });
    expect((await at('github')({ currentPassword: PASSWORD })).status).toBe(404);
    const connecting = { GET: async () => Response.json(await readSealedCookie('connecting')) };
    const { status } = await expectNeedsProof(async (body) => {
      expect((await browser.send(connecting, 'GET', '/')).json).toBeNull();
      return at('google')(body);
    });
    expect(status).toBe(200);
    expect((await browser.send(connecting, 'GET', '/')).json).toMatchObject({
      userId: id,
      provider: 'google',
    });
  });
});
