import { and, eq, isNull, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db, type Transaction } from '@/db/client';
import { mailLinks, sessions, users } from '@/db/schema/accounts';
import { recoveryCodes, securityNotices, twoFactor } from '@/db/schema/security';
import { createLink } from '@/lib/account/passwords/links';
import { lockAccount } from '@/lib/account/passwords/locks';
import { insertLinkedAccount, linkAccount } from '@/lib/account/providers/service';
import { finishSignInWithCode, signInByProvider } from '@/lib/account/providers/sign-in';
import { requestReset, resetPassword } from '@/lib/account/registration/service';
import { resendVerification } from '@/lib/account/registration/verification';
import { createSession } from '@/lib/account/sessions/create-session';
import { endAllSessions, endSessions } from '@/lib/account/sessions/service';
import { enableTwoFactor, setUpTwoFactor } from '@/lib/account/two-factor/service';
import type { AppError } from '@/lib/foundation/contract/errors';
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
  signInUser,
} from '@/test/auth-fixtures';
import { newClientInfo } from '@/test/client-info';
import { duringTransaction } from '@/test/open-transaction';
import { undoLatestNotice } from '@/test/security-notices';
import { changeAccountIn } from './notices';
import { secureAccount } from './secure-account';
import { requestEmailChange } from './service';
import { signInMethods } from './step-up';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

/** Does to an account what a reset does, in a transaction that stays open. */
const reset = (id: string) => async (tx: Transaction) => {
  await lockAccount(tx, id);
  await tx.update(users).set({ passwordHash: 'changed' }).where(eq(users.id, id));
  await secureAccount(tx, id);
};

/** Closes an account, as its erasure does. */
const close = (id: string) => async (tx: Transaction) => {
  await lockAccount(tx, id);
  await tx.update(users).set({ disabledAt: sql`now()` }).where(eq(users.id, id));
};

const liveSessions = (id: string) =>
  db().$count(sessions, and(eq(sessions.userId, id), isNull(sessions.revokedAt)));

const refused = (code: ConstructorParameters<typeof AppError>[0]) => ({
  waited: true,
  outcome: { status: 'rejected', reason: expect.objectContaining({ code }) },
});

describe('a sign-in during a reset', () => {
  it('with the old password is refused', async () => {
    const email = newEmail();
    const id = await createAccount(email);
    const login = await duringTransaction(reset(id), () => logIn(email, PASSWORD));
    expect(login).toEqual(refused('invalid_credentials'));
    expect(await liveSessions(id)).toBe(0);
  });

  it('by a provider is refused', async () => {
    const { id, google } = await createFullAccount();
    const signIn = await duringTransaction(reset(id), () => signInByProvider(google, newClientInfo()));
    expect(signIn).toEqual({ waited: true, outcome: { status: 'fulfilled', value: { problem: 'off' } } });
    expect(await liveSessions(id)).toBe(0);
  });

  it('by a provider with a code is refused', async () => {
    const { id, user, google } = await createFullAccount();
    const totp = new TOTP({ secret: Secret.fromBase32((await setUpTwoFactor(user)).secret) });
    await enableTwoFactor(id, totp.generate(), newClientInfo());
    // The app's newest code was used just now. It has to work again, instead of waiting for the next one.
    await db().update(twoFactor).set({ lastStep: 0 }).where(eq(twoFactor.userId, id));
    const signIn = await duringTransaction(reset(id), () =>
      finishSignInWithCode({ userId: id, account: google }, totp.generate(), newClientInfo()),
    );
    expect(signIn).toEqual(refused('unauthenticated'));
    expect(await liveSessions(id)).toBe(0);
  });

  it('by a passkey is refused, without a deadlock', async () => {
    const { id, key } = await createFullAccount();
    const signIn = await duringTransaction((tx) => lockAccount(tx, id), key.signIn, { finish: reset(id) });
    expect(signIn).toEqual(refused('invalid_credentials'));
    expect(await liveSessions(id)).toBe(0);
  });
});

describe('a sign-in by a provider with the account’s address', () => {
  it('asks for the code of an app that’s being added', async () => {
    const account = makeProviderAccount();
    const id = await createAccount(account.email ?? '');
    const addApp = async (tx: Transaction) => {
      await lockAccount(tx, id);
      await tx.insert(twoFactor).values({ userId: id, sealedSecret: 'sealed', confirmedAt: sql`now()` });
    };
    const signIn = await duringTransaction(addApp, () => signInByProvider(account, newClientInfo()));
    expect(signIn).toEqual({ waited: true, outcome: { status: 'fulfilled', value: { codeFor: id } } });
    expect(await signInMethods(id)).toEqual({ password: true, passkeys: 0, linkedAccounts: 0 });
  });

  it('works while another tab connects the same provider', async () => {
    const account = makeProviderAccount();
    const id = await createAccount(account.email ?? '');
    const connect = async (tx: Transaction) => {
      await lockAccount(tx, id);
      await insertLinkedAccount(tx, id, account);
    };
    const signIn = await duringTransaction(connect, () => signInByProvider(account, newClientInfo()));
    const tokens = expect.objectContaining({ access: expect.any(String) });
    expect(signIn).toEqual({ waited: true, outcome: { status: 'fulfilled', value: { tokens } } });
  });
});

it('no session starts in an account that’s being closed', async () => {
  const id = await createAccount();
  const start = () =>
    db().transaction((tx) => createSession(tx, { id, verified: true }, newClientInfo(), 'google'));
  expect(await duringTransaction(close(id), start)).toEqual(refused('invalid_credentials'));
  expect(await liveSessions(id)).toBe(0);
});

describe('a change that a session asked for', () => {
  it('is refused during a reset, without a deadlock', async () => {
    const { user } = await signInUser(await createAccount());
    const linked = await duringTransaction(
      (tx) => lockAccount(tx, user.id),
      () => linkAccount(user, makeProviderAccount()),
      { finish: (tx) => endAllSessions(tx, user.id) },
    );
    expect(linked).toEqual(refused('unauthenticated'));
    expect((await signInMethods(user.id)).linkedAccounts).toBe(0);
  });

  it('is refused while the session is being ended from another device', async () => {
    const { user } = await signInUser(await createAccount());
    const linked = await duringTransaction(
      (tx) => endSessions(tx, eq(sessions.id, user.sessionId)),
      () => linkAccount(user, makeProviderAccount()),
    );
    expect(linked).toEqual(refused('unauthenticated'));
    expect((await signInMethods(user.id)).linkedAccounts).toBe(0);
  });
});

describe('a link in an email', () => {
  it('to reset the password isn’t sent to an address that’s being replaced', async () => {
    const email = newEmail();
    const id = await createAccount(email);
    const move = async (tx: Transaction) => {
      await lockAccount(tx, id);
      await tx.update(users).set({ email: newEmail() }).where(eq(users.id, id));
    };
    const requested = await duringTransaction(move, () => requestReset(email));
    expect(requested).toEqual({ waited: true, outcome: { status: 'fulfilled' } });
    expect(await queuedEmails(email)).toEqual([]);
    expect(await db().$count(mailLinks, eq(mailLinks.userId, id))).toBe(0);
  });

  it('to verify the address isn’t sent while another one is', async () => {
    const user = { id: await createAccount(), email: newEmail(), firstName: 'Ada', verified: false };
    const resent = await duringTransaction(
      (tx) => createLink(tx, user.id, 'verify'),
      () => resendVerification(user, newClientInfo()),
    );
    expect(resent).toEqual(refused('rate_limited'));
    expect(await db().$count(mailLinks, eq(mailLinks.userId, user.id))).toBe(1);
  });

  it('isn’t made for an account that’s being closed', async () => {
    const { user } = await signInUser(await createAccount());
    const change = { email: newEmail(), currentPassword: PASSWORD };
    const { waited } = await duringTransaction(close(user.id), () =>
      requestEmailChange(user, change, newClientInfo()),
    );
    expect(waited).toBe(true);
    expect(await db().$count(mailLinks, eq(mailLinks.userId, user.id))).toBe(0);
  });

  it('doesn’t open an account that’s being closed', async () => {
    const email = newEmail();
    const id = await createAccount(email);
    await requestReset(email);
    const { uid, token } = await latestEmailLink(email, 'reset');
    const passwordHash = async () =>
      (await db().select().from(users).where(eq(users.id, id)))[0]?.passwordHash;
    const before = await passwordHash();
    const used = await duringTransaction(close(id), () =>
      resetPassword(uid, token, NEW_PASSWORD, newClientInfo()),
    );
    expect(used).toEqual(refused('invalid_or_expired_link'));
    expect(await passwordHash()).toBe(before);
  });
});

describe('the notice of a change that’s being made', () => {
  it('doesn’t bring back a recovery code that’s used meanwhile', async () => {
    const email = newEmail();
    const { user } = await signInUser(await createAccount(email));
    const { recoveryCodes: codes } = await enableAuthenticatorApp(user);
    const change = { notice: 'passkey-added', event: 'passkey.added' } as const;
    const login = await duringTransaction(
      (tx) => changeAccountIn(tx, { id: user.id }, change, async () => true),
      () => logIn(email, PASSWORD, codes[0]),
    );
    expect(login).toMatchObject({ waited: true, outcome: { status: 'fulfilled' } });
    await undoLatestNotice(email, 'A passkey was added to your journal');
    expect(await db().$count(recoveryCodes, eq(recoveryCodes.userId, user.id))).toBe(9);
  });

  it('is undone too by the link of an older one', async () => {
    const email = newEmail();
    const { user } = await signInUser(await createAccount(email));
    await linkAccount(user, makeProviderAccount());
    const change = { notice: 'github-connected', event: 'identity.connected' } as const;
    const connect = (tx: Transaction) =>
      changeAccountIn(tx, { id: user.id }, change, () =>
        insertLinkedAccount(tx, user.id, makeProviderAccount({ provider: 'github' })),
      );
    const undone = await duringTransaction(connect, () =>
      undoLatestNotice(email, 'Google was connected to your journal'),
    );
    expect(undone).toEqual({ waited: true, outcome: { status: 'fulfilled' } });
    expect((await signInMethods(user.id)).linkedAccounts).toBe(0);
    expect(await db().$count(securityNotices, eq(securityNotices.userId, user.id))).toBe(0);
  });
});
