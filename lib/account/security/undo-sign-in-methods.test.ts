import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { identities, passkeys } from '@/db/schema/security';
import { enablePasskey } from '@/lib/account/passkeys/service';
import { enableLinkedAccount, linkAccount } from '@/lib/account/providers/service';
import { signInByProvider } from '@/lib/account/providers/sign-in';
import { authenticate } from '@/lib/account/sessions/service';
import { twoFactorState } from '@/lib/account/two-factor/service';
import { latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import {
  createAccount,
  createFullAccount,
  enableAuthenticatorApp,
  logIn,
  makeProviderAccount,
  NEW_PASSWORD,
  newEmail,
  PASSWORD,
  resetPasswordByEmail,
  setVerifiedAt,
  signInUser,
} from '@/test/auth-fixtures';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { undoLatestNotice } from '@/test/security-notices';
import { confirmEmailChange, requestEmailChange } from './service';
import { signInMethods } from './step-up';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const subjects = async (to: string) => (await queuedEmails(to)).map(({ subject }) => subject);

describe('undoing a reset', () => {
  it('turns on again what the reset turned off, and brings back the password and the app', async () => {
    const { id, email, user, google, key } = await createFullAccount();
    await enableAuthenticatorApp(user);
    await setVerifiedAt(id, new Date(Date.now() + 1000));
    await resetPasswordByEmail(email);
    expect(await signInMethods(id)).toEqual({ password: true, passkeys: 0, linkedAccounts: 0 });
    // Somebody has used it since.
    await db().update(passkeys).set({ counter: 7 }).where(eq(passkeys.userId, id));
    await undoLatestNotice(email, 'Your password was reset');
    expect(await signInMethods(id)).toEqual({ password: true, passkeys: 1, linkedAccounts: 2 });
    expect(await db().select().from(passkeys).where(eq(passkeys.userId, id))).toMatchObject([{ counter: 7 }]);
    await db().update(passkeys).set({ counter: 0 }).where(eq(passkeys.userId, id));
    expect(await signInByProvider(google, newClientInfo())).toEqual({ codeFor: id });
    expect(await authenticate((await key.signIn()).tokens.access)).toMatchObject({ id });
    expect((await expectRejection(logIn(email, PASSWORD))).fields).toHaveProperty('code');
  });

  it('is not offered where nobody had confirmed the address: a stranger may have set the password', async () => {
    const email = newEmail();
    const id = await createAccount(email);
    await db().update(users).set({ verifiedAt: null }).where(eq(users.id, id));
    await resetPasswordByEmail(email);
    expect(await subjects(email)).toEqual(['Set a new password']);
  });
});

describe('undoing a merge with a provider', () => {
  it('restores every other sign-in method, and sends one email, also on a new device', async () => {
    const { id, email, key } = await createFullAccount();
    await db().delete(identities).where(eq(identities.provider, 'google'));
    const before = (await subjects(email)).length;
    const own = makeProviderAccount({ email });
    const client = { ...newClientInfo(), device: 'e'.repeat(43) };
    expect(await signInByProvider(own, client)).toHaveProperty('tokens');
    expect((await subjects(email)).slice(before)).toEqual(['Google was connected to your journal']);
    expect(await signInMethods(id)).toEqual({ password: false, passkeys: 0, linkedAccounts: 1 });
    await undoLatestNotice(email, 'Google was connected to your journal');
    expect(await signInMethods(id)).toEqual({ password: true, passkeys: 1, linkedAccounts: 1 });
    await logIn(email, PASSWORD);
    await key.signIn();
  });

  it('does not bring back the password of a stranger who never confirmed the address', async () => {
    const email = newEmail();
    const id = await createAccount(email);
    await db().update(users).set({ verifiedAt: null }).where(eq(users.id, id));
    await signInByProvider(makeProviderAccount({ email }), newClientInfo());
    await undoLatestNotice(email, 'Google was connected to your journal');
    expect((await expectRejection(logIn(email, PASSWORD))).code).toBe('invalid_credentials');
    expect(await signInMethods(id)).toEqual({ password: false, passkeys: 0, linkedAccounts: 0 });
  });
});

describe('turning a sign-in method back on', () => {
  it('takes the code of the app too, or a passkey that is on', async () => {
    const { id, email, user, google, key } = await createFullAccount();
    await setVerifiedAt(id, new Date(Date.now() - 60_000));
    const { recoveryCodes } = await enableAuthenticatorApp(user);
    await resetPasswordByEmail(email);
    const here = (await signInUser(id)).user;
    const proof = { currentPassword: NEW_PASSWORD };
    for (const enable of [
      () => enablePasskey(here, key.passkey.id, proof, newClientInfo()),
      () => enableLinkedAccount(here, 'google', proof, newClientInfo()),
    ]) {
      expect(Object.keys((await expectRejection(enable())).fields ?? {})).toEqual(['code']);
    }
    const byItself = enablePasskey(
      here,
      key.passkey.id,
      { passkey: await key.confirm(here) },
      newClientInfo(),
    );
    expect((await expectRejection(byItself)).fields).toHaveProperty('passkey');
    const [code] = recoveryCodes;
    await enablePasskey(here, key.passkey.id, { ...proof, code }, newClientInfo());
    await enableLinkedAccount(here, 'google', { passkey: await key.confirm(here) }, newClientInfo());
    expect(await signInByProvider(google, newClientInfo())).toEqual({ codeFor: id });
  });

  it('is undone by turning it off again', async () => {
    const { id, email, github, key } = await createFullAccount();
    await resetPasswordByEmail(email);
    const { user } = await signInUser(id);
    await enablePasskey(user, key.passkey.id, { currentPassword: NEW_PASSWORD }, newClientInfo());
    await enableLinkedAccount(user, 'github', { currentPassword: NEW_PASSWORD }, newClientInfo());
    await undoLatestNotice(email, 'GitHub was turned back on for your journal');
    expect(await signInByProvider(github, newClientInfo())).toEqual({ problem: 'off' });
    await key.signIn();
    await undoLatestNotice(email, 'A passkey was turned back on for your journal');
    expect((await expectRejection(key.signIn())).code).toBe('invalid_credentials');
    await logIn(email, NEW_PASSWORD);
  });
});

describe('undoing a change of address', () => {
  async function moved({ hasApp = false } = {}) {
    const email = newEmail();
    const id = await createAccount(email);
    await setVerifiedAt(id, new Date(Date.now() - 60_000));
    const { user } = await signInUser(id);
    const app = hasApp ? await enableAuthenticatorApp(user) : undefined;
    const to = newEmail();
    const proof = { currentPassword: PASSWORD, code: app?.recoveryCodes[0] };
    await requestEmailChange(user, { email: to, ...proof }, newClientInfo());
    const { uid, token } = await latestEmailLink(to, 'change_email');
    await confirmEmailChange(user, uid, token);
    return { id, email, to, recoveryCodes: app?.recoveryCodes ?? [] };
  }

  it('still works after a thief has reset the password from the new address', async () => {
    const { id, email, to } = await moved();
    await resetPasswordByEmail(to);
    await undoLatestNotice(email, 'Your email address was changed');
    expect((await expectRejection(logIn(to, NEW_PASSWORD))).code).toBe('invalid_credentials');
    expect(await authenticate((await logIn(email, PASSWORD)).tokens.access)).toMatchObject({ id });
  });

  it('confirms the address again, without making the owner’s app older than it', async () => {
    const { id, email, recoveryCodes } = await moved({ hasApp: true });
    // The new address's moment must not be taken for the former one's.
    await setVerifiedAt(id, new Date(Date.now() - 3_600_000));
    await undoLatestNotice(email, 'Your email address was changed');
    const [owner] = await db()
      .select({ recent: sql<boolean>`${users.verifiedAt} > now() - interval '30 seconds'` })
      .from(users)
      .where(eq(users.id, id));
    expect(owner?.recent).toBe(true);
    await resetPasswordByEmail(email);
    expect(await twoFactorState(id)).toEqual({ enabled: true, recoveryCodesLeft: 9 });
    expect((await expectRejection(logIn(email, NEW_PASSWORD))).fields).toHaveProperty('code');
    await logIn(email, NEW_PASSWORD, recoveryCodes[1]);
  });
});

it('a session that is 90 days old can’t finish a change that it started', async () => {
  const { user } = await signInUser(await createAccount());
  await db()
    .update(sessions)
    .set({ createdAt: sql`now() - interval '90 days 1 minute'` })
    .where(eq(sessions.id, user.sessionId));
  expect((await expectRejection(linkAccount(user, makeProviderAccount()))).code).toBe('unauthenticated');
});
