import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { identities } from '@/db/schema/security';
import { hashPassword } from '@/lib/accounts/passwords';
import { login, requestReset, resetPassword } from '@/lib/accounts/service';
import type { ProviderAccount } from '@/lib/identities/providers';
import { connectTo, disconnect, enableIdentity } from '@/lib/identities/service';
import { finishWithCode, signInByProvider } from '@/lib/identities/sign-in';
import {
  addPasskey,
  enablePasskey,
  listPasskeys,
  passkeyOptions,
  removePasskey,
} from '@/lib/passkeys/service';
import { signInOptions, signInWithPasskey } from '@/lib/passkeys/sign-in';
import { authenticate, createSession, rotateSession, type User } from '@/lib/sessions/service';
import { addUser, newestLink, useFreshDatabase, waitingMails } from '@/test/app-database';
import { newClient, refusal } from '@/test/asking';
import { newAuthenticator } from '@/test/authenticator';
import { waysIn } from './ownership';
import { confirmEmailChange, requestEmailChange } from './service';
import { enableTwoFactor, setUpTwoFactor, twoFactorState } from './two-factor';

const PASSWORD = 'three quiet lamps';
const NEW = 'four loud lanterns';
let takeDown: () => Promise<void>;
let passwordHash: string;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => takeDown());

const newEmail = () => `${crypto.randomUUID()}@example.com`;

const providerAccount = (more: Partial<ProviderAccount> = {}): ProviderAccount => ({
  ...{ provider: 'google', id: crypto.randomUUID(), email: newEmail(), firstName: 'Eve', lastName: 'Lurker' },
  ...more,
});

async function signedIn(id: string) {
  const tokens = await db().transaction((tx) => createSession(tx, { id, verified: true }, 'test'));
  const user = await authenticate(tokens.access);
  if (!user) throw new Error('not signed in');
  return { tokens, user };
}

async function withPasskey(user: User, password = PASSWORD) {
  const authenticator = newAuthenticator(
    Buffer.from(user.id.replaceAll('-', ''), 'hex').toString('base64url'),
  );
  const { challenge } = await passkeyOptions(user, password, newClient());
  const passkey = await addPasskey(user, { name: 'A key', credential: authenticator.register(challenge) });
  const signIn = async () =>
    signInWithPasskey(authenticator.assert((await signInOptions()).challenge), newClient());
  return { passkey, signIn };
}

/** Adds an app; its next code is a new one, as a code works once. */
async function withApp(user: User) {
  const { secret } = await setUpTwoFactor(user);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const recoveryCodes = await enableTwoFactor(user.id, totp.generate(), newClient());
  return { recoveryCodes };
}

async function reset(email: string, password = NEW): Promise<void> {
  await requestReset(email);
  const { uid, token } = await newestLink(email, 'reset');
  await resetPassword(uid, token, password);
}

const logIn = (email: string, password: string, code?: string) =>
  login({ email, password, code }, newClient());

/** An account with every way in there is, all of one person. */
async function withEverything(email = newEmail()) {
  const id = await addUser(email, passwordHash);
  const { user, tokens } = await signedIn(id);
  const google = providerAccount();
  const github = providerAccount({ provider: 'github' });
  expect(await connectTo(user, google)).toBeUndefined();
  expect(await connectTo(user, github)).toBeUndefined();
  const key = await withPasskey(user);
  return { id, email, user, tokens, google, github, key };
}

/** Puts the moment at which an account's current address was confirmed. */
const confirmAddressAt = (id: string, verifiedAt: Date) =>
  db().update(users).set({ verifiedAt }).where(eq(users.id, id));

describe('a stranger who had the account before its owner reset the password', () => {
  it('has no way in left: passkey, providers, app, session, waiting sign-in, address change or link', async () => {
    const stranger = await withEverything();
    const { user, tokens, google, github, key, id } = stranger;
    const victim = newEmail();
    await withApp(user);
    // The stranger's own mailbox gets a link before the account moves to the owner's address.
    await requestReset(stranger.email);
    const oldReset = await newestLink(stranger.email, 'reset');
    await requestEmailChange(user, { email: victim, currentPassword: PASSWORD }, newClient());
    const moved = await newestLink(victim, 'change_email');
    await confirmEmailChange(user, moved.uid, moved.token);
    const next = newEmail();
    await requestEmailChange(user, { email: next, currentPassword: PASSWORD }, newClient());
    const pending = await newestLink(next, 'change_email');
    expect(await signInByProvider(google, newClient())).toEqual({ codeFor: id });

    await reset(victim);

    expect(await authenticate(tokens.access)).toBeNull();
    expect(await rotateSession(tokens.refresh)).toBeNull();
    expect((await refusal(logIn(victim, PASSWORD))).code).toBe('invalid_credentials');
    expect((await refusal(key.signIn())).code).toBe('invalid_credentials');
    for (const account of [google, github]) {
      expect(await signInByProvider(account, newClient())).toEqual({ problem: 'off' });
      // The cookie of a sign-in that waits for its code still names this account, and there's no app to ask anymore.
      const waiting = finishWithCode({ userId: id, account }, '000000', newClient());
      expect((await refusal(waiting)).code).toBe('unauthenticated');
    }
    expect((await refusal(resetPassword(oldReset.uid, oldReset.token, PASSWORD))).code).toBe(
      'invalid_or_expired_link',
    );
    for (const link of [moved, pending]) {
      expect((await refusal(confirmEmailChange(user, link.uid, link.token))).code).toBe(
        'invalid_or_expired_link',
      );
    }
    // A request that was authenticated before the reset and goes on after it.
    expect((await refusal(withPasskey(user, NEW))).code).toBe('unauthenticated');
    expect((await refusal(connectTo(user, providerAccount()))).code).toBe('unauthenticated');
    const enabling = enablePasskey(user, key.passkey.id, NEW, newClient());
    expect((await refusal(enabling)).code).toBe('unauthenticated');
    // Only the owner is left, who isn't asked for a code of the stranger's app.
    await logIn(victim, NEW);
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect(await waysIn(id)).toEqual({ password: true, passkeys: 0, identities: 0 });
  });

  it('does not come back by ways in that are used at the very moment of the reset', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, email, user, google, key } = await withEverything();
      await requestReset(email);
      const { uid, token } = await newestLink(email, 'reset');
      const sessions = await Promise.allSettled([
        key.signIn().then(({ tokens }) => tokens),
        resetPassword(uid, token, NEW),
        signInByProvider(google, newClient()).then((outcome) => 'tokens' in outcome && outcome.tokens),
        logIn(email, PASSWORD).then(({ tokens }) => tokens),
        withPasskey(user),
      ]);
      for (const outcome of sessions) {
        if (outcome.status !== 'fulfilled' || !outcome.value || !('access' in outcome.value)) continue;
        expect(await authenticate(outcome.value.access)).toBeNull();
      }
      expect(await waysIn(id)).toEqual({ password: true, passkeys: 0, identities: 0 });
    }
  });

  it('is not let in again by the owner’s own address at a provider that was turned off', async () => {
    const email = newEmail();
    const { user } = await signedIn(await addUser(email, passwordHash));
    const account = providerAccount({ email });
    await connectTo(user, account);
    await reset(email);
    expect(await signInByProvider(account, newClient())).toEqual({ problem: 'off' });
    expect(await waysIn(user.id)).toMatchObject({ identities: 0 });
    // Another account there with this address doesn't take the place of the one that is off either.
    expect(await signInByProvider(providerAccount({ email }), newClient())).toEqual({ problem: 'taken' });
  });
});

describe('an authenticator app', () => {
  it('still asks for its code after a reset, and takes a recovery code', async () => {
    const email = newEmail();
    const id = await addUser(email, passwordHash);
    await confirmAddressAt(id, new Date(Date.now() - 60_000));
    const { recoveryCodes } = await withApp((await signedIn(id)).user);
    await reset(email);
    expect((await refusal(logIn(email, NEW))).fields).toHaveProperty('code');
    await logIn(email, NEW, recoveryCodes[0]);
  });

  it('is removed by a reset when it was added before the address was confirmed', async () => {
    const email = newEmail();
    const id = await addUser(email, passwordHash);
    const { user } = await signedIn(id);
    await withApp(user);
    const later = newEmail();
    await requestEmailChange(user, { email: later, currentPassword: PASSWORD }, newClient());
    const { uid, token } = await newestLink(later, 'change_email');
    await confirmEmailChange(user, uid, token);
    expect((await refusal(logIn(later, PASSWORD))).fields).toHaveProperty('code');
    await reset(later);
    await logIn(later, NEW);
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  });

  it('that only waits for its first code is forgotten', async () => {
    const email = newEmail();
    const id = await addUser(email, passwordHash);
    const { secret } = await setUpTwoFactor({ id, email });
    await reset(email);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect((await refusal(enableTwoFactor(id, code, newClient()))).code).toBe('conflict');
  });
});

describe('the owner, signed in after a reset', () => {
  it('turns a passkey back on with the password, and nobody else’s', async () => {
    const { id, email, key } = await withEverything();
    await reset(email);
    const { user } = await signedIn(id);
    expect((await listPasskeys(id)).map(({ disabledAt }) => disabledAt)).toEqual([expect.any(Date)]);
    const wrong = enablePasskey(user, key.passkey.id, 'wrong', newClient());
    expect((await refusal(wrong)).fields).toHaveProperty('currentPassword');
    const other = await signedIn(await addUser(newEmail(), passwordHash));
    const foreign = enablePasskey(other.user, key.passkey.id, PASSWORD, newClient());
    expect((await refusal(foreign)).code).toBe('not_found');
    await enablePasskey(user, key.passkey.id, NEW, newClient());
    expect(await authenticate((await key.signIn()).tokens.access)).toMatchObject({ id });
    expect((await waitingMails(email)).map(({ subject }) => subject)).toContain(
      'A passkey was turned back on for your journal',
    );
    expect((await refusal(enablePasskey(user, key.passkey.id, NEW, newClient()))).code).toBe('not_found');
  });

  it('turns one provider back on with the password, and the other stays off', async () => {
    const { id, email, google, github } = await withEverything();
    await reset(email);
    const { user } = await signedIn(id);
    const wrong = enableIdentity(user, 'google', 'wrong', newClient());
    expect((await refusal(wrong)).fields).toHaveProperty('currentPassword');
    await enableIdentity(user, 'google', NEW, newClient());
    expect(await signInByProvider(google, newClient())).toHaveProperty('tokens');
    expect(await signInByProvider(github, newClient())).toEqual({ problem: 'off' });
    expect((await refusal(enableIdentity(user, 'google', NEW, newClient()))).code).toBe('not_found');
  });
});

describe('merging with a provider', () => {
  it('leaves the provider as the only way in, until each other one is turned back on', async () => {
    const { id, email, tokens, key } = await withEverything();
    await db().delete(identities).where(eq(identities.provider, 'google'));
    const own = providerAccount({ email });
    const outcome = await signInByProvider(own, newClient());
    const user = 'tokens' in outcome ? await authenticate(outcome.tokens.access) : null;
    if (!user) throw new Error('not signed in');
    expect(user.id).toBe(id);
    expect(await authenticate(tokens.access)).toBeNull();
    expect((await refusal(key.signIn())).code).toBe('invalid_credentials');
    expect((await refusal(logIn(email, PASSWORD))).code).toBe('invalid_credentials');
    expect(await waysIn(id)).toEqual({ password: false, passkeys: 0, identities: 1 });
    // A passkey that is off is no way in, so it may go, and the provider may not.
    expect((await refusal(disconnect(user, 'google', undefined, newClient()))).code).toBe('conflict');
    await enablePasskey(user, key.passkey.id, undefined, newClient());
    await key.signIn();
    await disconnect(user, 'google', undefined, newClient());
    expect((await refusal(removePasskey(user, key.passkey.id, undefined, newClient()))).code).toBe(
      'conflict',
    );
  });

  it('changes nothing before the code of the owner’s app is given', async () => {
    const { id, email, user, tokens, key } = await withEverything();
    await db().delete(identities).where(eq(identities.userId, id));
    await confirmAddressAt(id, new Date(Date.now() - 60_000));
    const { recoveryCodes } = await withApp(user);
    const own = providerAccount({ email });
    expect(await signInByProvider(own, newClient())).toEqual({ codeFor: id });
    const finish = (code: string) => finishWithCode({ userId: id, account: own }, code, newClient());
    expect((await refusal(finish('000000'))).fields).toHaveProperty('code');
    expect(await authenticate(tokens.access)).toMatchObject({ id });
    expect(await waysIn(id)).toEqual({ password: true, passkeys: 1, identities: 0 });
    const signed = await finish(recoveryCodes[0] ?? '');
    expect(await authenticate(signed.access)).toMatchObject({ id });
    expect(await authenticate(tokens.access)).toBeNull();
    expect((await refusal(key.signIn())).code).toBe('invalid_credentials');
    expect(await waysIn(id)).toEqual({ password: false, passkeys: 0, identities: 1 });
    expect(await twoFactorState(id)).toEqual({ enabled: true, recoveryCodesLeft: 9 });
  });

  it('drops an app that was added before the address was confirmed', async () => {
    const { id, email, user } = await withEverything();
    await db().delete(identities).where(eq(identities.userId, id));
    await withApp(user);
    await confirmAddressAt(id, new Date(Date.now() + 1000));
    expect(await signInByProvider(providerAccount({ email }), newClient())).toHaveProperty('tokens');
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  });
});
