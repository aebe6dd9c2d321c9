import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { auditEvents } from '@/db/schema/security';
import { enablePasskey, listPasskeys } from '@/lib/account/passkeys/service';
import { enableLinkedAccount, linkAccount } from '@/lib/account/providers/service';
import { finishSignInWithCode, signInByProvider } from '@/lib/account/providers/sign-in';
import { requestReset, resetPassword } from '@/lib/account/registration/service';
import { authenticate, rotateSession } from '@/lib/account/sessions/service';
import { enableTwoFactor, setUpTwoFactor, twoFactorState } from '@/lib/account/two-factor/service';
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
  registerPasskey,
  resetPasswordByEmail,
  setVerifiedAt,
  signInUser,
} from '@/test/auth-fixtures';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { confirmEmailChange, requestEmailChange } from './service';
import { signInMethods } from './step-up';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

describe('a stranger who had the account before its owner reset the password', () => {
  it('has no access left: passkey, providers, app, session, waiting sign-in, address change or link', async () => {
    const stranger = await createFullAccount();
    const { user, tokens, google, github, key, id } = stranger;
    const victim = newEmail();
    const [first, second] = (await enableAuthenticatorApp(user)).recoveryCodes;
    // The stranger's own mailbox gets a link before the account moves to the owner's address.
    await requestReset(stranger.email);
    const oldReset = await latestEmailLink(stranger.email, 'reset');
    await requestEmailChange(
      user,
      { email: victim, currentPassword: PASSWORD, code: first },
      newClientInfo(),
    );
    const moved = await latestEmailLink(victim, 'change_email');
    await confirmEmailChange(user, moved.uid, moved.token);
    const next = newEmail();
    await requestEmailChange(user, { email: next, currentPassword: PASSWORD, code: second }, newClientInfo());
    const pending = await latestEmailLink(next, 'change_email');
    expect(await signInByProvider(google, newClientInfo())).toEqual({ codeFor: id });

    await resetPasswordByEmail(victim);

    expect(await authenticate(tokens.access)).toBeNull();
    expect(await rotateSession(tokens.refresh)).toBeNull();
    expect((await expectRejection(logIn(victim, PASSWORD))).code).toBe('invalid_credentials');
    expect((await expectRejection(key.signIn())).code).toBe('invalid_credentials');
    for (const account of [google, github]) {
      expect(await signInByProvider(account, newClientInfo())).toEqual({ problem: 'off' });
      // The cookie of a sign-in that waits for its code still names this account, and there's no app to ask anymore.
      const waiting = finishSignInWithCode({ userId: id, account }, '000000', newClientInfo());
      expect((await expectRejection(waiting)).code).toBe('unauthenticated');
    }
    expect(
      (await expectRejection(resetPassword(oldReset.uid, oldReset.token, PASSWORD, newClientInfo()))).code,
    ).toBe('invalid_or_expired_link');
    for (const link of [moved, pending]) {
      expect((await expectRejection(confirmEmailChange(user, link.uid, link.token))).code).toBe(
        'invalid_or_expired_link',
      );
    }
    // A request that was authenticated before the reset and goes on after it.
    expect((await expectRejection(registerPasskey(user, NEW_PASSWORD))).code).toBe('unauthenticated');
    expect((await expectRejection(linkAccount(user, makeProviderAccount()))).code).toBe('unauthenticated');
    const enabling = enablePasskey(user, key.passkey.id, { currentPassword: NEW_PASSWORD }, newClientInfo());
    expect((await expectRejection(enabling)).code).toBe('unauthenticated');
    // Only the owner is left, who isn't asked for a code of the stranger's app.
    await logIn(victim, NEW_PASSWORD);
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect(await signInMethods(id)).toEqual({ password: true, passkeys: 0, linkedAccounts: 0 });
  });

  it("doesn't get back in with sign-in methods used at the very moment of the reset", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, email, user, google, key } = await createFullAccount();
      await requestReset(email);
      const { uid, token } = await latestEmailLink(email, 'reset');
      const sessions = await Promise.allSettled([
        key.signIn().then(({ tokens }) => tokens),
        resetPassword(uid, token, NEW_PASSWORD, newClientInfo()),
        signInByProvider(google, newClientInfo()).then((outcome) => 'tokens' in outcome && outcome.tokens),
        logIn(email, PASSWORD).then(({ tokens }) => tokens),
        registerPasskey(user),
      ]);
      for (const outcome of sessions) {
        if (outcome.status !== 'fulfilled' || !outcome.value || !('access' in outcome.value)) continue;
        expect(await authenticate(outcome.value.access)).toBeNull();
      }
      expect(await signInMethods(id)).toEqual({ password: true, passkeys: 0, linkedAccounts: 0 });
    }
  });

  it('is not let in again by the owner’s own address at a provider that was turned off', async () => {
    const email = newEmail();
    const { user } = await signInUser(await createAccount(email));
    const account = makeProviderAccount({ email });
    await linkAccount(user, account);
    await resetPasswordByEmail(email);
    expect(await signInByProvider(account, newClientInfo())).toEqual({ problem: 'off' });
    expect(await signInMethods(user.id)).toMatchObject({ linkedAccounts: 0 });
    // Another account there with this address doesn't take the place of the one that is off either.
    expect(await signInByProvider(makeProviderAccount({ email }), newClientInfo())).toEqual({
      problem: 'taken',
    });
  });
});

describe('an authenticator app', () => {
  it('still asks for its code after a reset, and takes a recovery code', async () => {
    const email = newEmail();
    const id = await createAccount(email);
    await setVerifiedAt(id, new Date(Date.now() - 60_000));
    const { recoveryCodes } = await enableAuthenticatorApp((await signInUser(id)).user);
    await resetPasswordByEmail(email);
    expect((await expectRejection(logIn(email, NEW_PASSWORD))).fields).toHaveProperty('code');
    await logIn(email, NEW_PASSWORD, recoveryCodes[0]);
  });

  it('is removed by a reset when it was added before the address was confirmed', async () => {
    const email = newEmail();
    const id = await createAccount(email);
    const { user } = await signInUser(id);
    const [code] = (await enableAuthenticatorApp(user)).recoveryCodes;
    const later = newEmail();
    await requestEmailChange(user, { email: later, currentPassword: PASSWORD, code }, newClientInfo());
    const { uid, token } = await latestEmailLink(later, 'change_email');
    await confirmEmailChange(user, uid, token);
    expect((await expectRejection(logIn(later, PASSWORD))).fields).toHaveProperty('code');
    await resetPasswordByEmail(later);
    await logIn(later, NEW_PASSWORD);
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  });

  it('that only waits for its first code is forgotten', async () => {
    const email = newEmail();
    const id = await createAccount(email);
    const { secret } = await setUpTwoFactor({ id, email });
    await resetPasswordByEmail(email);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect((await expectRejection(enableTwoFactor(id, code, newClientInfo()))).code).toBe('conflict');
  });
});

describe('the owner, signed in after a reset', () => {
  it('turns a passkey back on with the password, and nobody else’s', async () => {
    const { id, email, key } = await createFullAccount();
    await resetPasswordByEmail(email);
    const { user } = await signInUser(id);
    expect((await listPasskeys(id)).map(({ disabled }) => disabled)).toEqual([true]);
    const wrong = enablePasskey(user, key.passkey.id, { currentPassword: 'wrong' }, newClientInfo());
    expect((await expectRejection(wrong)).fields).toHaveProperty('currentPassword');
    const other = await createFullAccount();
    const foreign = enablePasskey(other.user, key.passkey.id, { currentPassword: PASSWORD }, newClientInfo());
    expect((await expectRejection(foreign)).code).toBe('not_found');
    await resetPasswordByEmail(other.email);
    await enablePasskey(user, key.passkey.id, { currentPassword: NEW_PASSWORD }, newClientInfo());
    expect((await listPasskeys(other.id)).map(({ disabled }) => disabled)).toEqual([true]);
    expect(await authenticate((await key.signIn()).tokens.access)).toMatchObject({ id });
    expect((await queuedEmails(email)).map(({ subject }) => subject)).toContain(
      'A passkey was turned back on for your journal',
    );
    expect(
      (
        await expectRejection(
          enablePasskey(user, key.passkey.id, { currentPassword: NEW_PASSWORD }, newClientInfo()),
        )
      ).code,
    ).toBe('not_found');
  });

  it('turns one provider back on with the password, and the other stays off', async () => {
    const { id, email, google, github } = await createFullAccount();
    await resetPasswordByEmail(email);
    const { user } = await signInUser(id);
    const wrong = enableLinkedAccount(user, 'google', { currentPassword: 'wrong' }, newClientInfo());
    expect((await expectRejection(wrong)).fields).toHaveProperty('currentPassword');
    await enableLinkedAccount(user, 'google', { currentPassword: NEW_PASSWORD }, newClientInfo());
    expect(await signInByProvider(google, newClientInfo())).toHaveProperty('tokens');
    expect(await signInByProvider(github, newClientInfo())).toEqual({ problem: 'off' });
    expect(
      (
        await expectRejection(
          enableLinkedAccount(user, 'google', { currentPassword: NEW_PASSWORD }, newClientInfo()),
        )
      ).code,
    ).toBe('not_found');
  });
});

describe('the record of resets', () => {
  it.each([
    ['says once that passkeys and providers were turned off', createFullAccount, 1],
    ['doesn’t say it where there were none', createAccount, 0],
  ])('%s', async (_, create, times) => {
    const email = newEmail();
    await create(email);
    for (let reset = 0; reset < 2; reset += 1) await resetPasswordByEmail(email);
    const kinds = await db()
      .select({ kind: auditEvents.kind })
      .from(auditEvents)
      .innerJoin(users, eq(users.id, auditEvents.userId))
      .where(eq(users.email, email));
    const count = (kind: string) => kinds.filter((recorded) => recorded.kind === kind).length;
    expect([count('password.reset'), count('ways-in.disabled')]).toEqual([2, times]);
  });
});
