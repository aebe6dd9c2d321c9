import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { recentActivity } from '@/lib/account/activity/service';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { login } from '@/lib/account/registration/service';
import { createSession } from '@/lib/account/sessions/create-session';
import { authenticate, type User } from '@/lib/account/sessions/service';
import { parseEnv } from '@/lib/foundation/env';
import { addUser, queuedEmails, useFreshDatabase } from '@/test/app-database';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { type ProviderAccount, providerNames, readProfile } from './providers';
import { linkAccount, listLinkedAccounts, unlinkAccount } from './service';
import { finishSignInWithCode, signInByProvider } from './sign-in';

const PASSWORD = 'three quiet lamps';
let takeDown: () => Promise<void>;
let passwordHash: string;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => takeDown());

const client = newClientInfo();
const newEmail = () => `${crypto.randomUUID()}@example.com`;
const at = (more: Partial<ProviderAccount> = {}): ProviderAccount => ({
  provider: 'google',
  id: crypto.randomUUID(),
  email: newEmail(),
  firstName: 'Grace',
  lastName: 'Hopper',
  ...more,
});

async function userAfter(account: ProviderAccount): Promise<User> {
  const outcome = await signInByProvider(account, client);
  const user = 'tokens' in outcome ? await authenticate(outcome.tokens.access) : null;
  if (!user) throw new Error('not signed in');
  return user;
}

async function signedIn(id: string): Promise<User> {
  const tokens = await db().transaction((tx) =>
    createSession(tx, { id, verified: true }, client, 'password'),
  );
  const user = await authenticate(tokens.access);
  if (!user) throw new Error('not signed in');
  return user;
}

describe('what is shown', () => {
  it('is nothing while no provider has its variables', async () => {
    expect(providerNames()).toEqual([]);
    expect(await listLinkedAccounts(await addUser(newEmail()))).toEqual([]);
  });

  it('takes both variables of a provider', () => {
    expect(() => parseEnv({ ...process.env, GOOGLE_CLIENT_ID: 'half' })).toThrow(/GOOGLE_CLIENT_SECRET/);
  });
});

describe('what a provider says', () => {
  const google = { provider: 'google', providerAccountId: '7', type: 'oauth' } as const;

  it('counts as an address only when it is verified, and not by a truthy word', () => {
    for (const email_verified of [false, 'true', 1, undefined]) {
      expect(readProfile(google, { email: 'Ada@Example.com', email_verified } as never).email).toBeNull();
    }
    expect(readProfile(google, { email_verified: true } as never).email).toBeNull();
    const said = { email: ' Ada@Example.com', email_verified: true, name: 'Ada King Lovelace' };
    expect(readProfile(google, said as never)).toEqual({
      provider: 'google',
      id: '7',
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'King Lovelace',
    });
  });
});

describe('signing in by a provider', () => {
  it('opens one verified account without a password, also of ten at once', async () => {
    const account = at();
    const found = await Promise.all(Array.from({ length: 10 }, () => userAfter(account)));
    expect(new Set(found.map(({ id }) => id)).size).toBe(1);
    expect(found[0]).toMatchObject({ email: account.email, verified: true, firstName: 'Grace' });
    const kept = await db()
      .select()
      .from(users)
      .where(eq(users.email, account.email ?? ''));
    expect(kept).toMatchObject([{ passwordHash: null, gender: null, dateOfBirth: null }]);
    expect((await expectRejection(login({ email: account.email ?? '', password: '' }, client))).code).toBe(
      'invalid_credentials',
    );
  });

  it('finds the account again by the provider’s id, whatever the address is by then', async () => {
    const account = at();
    const { id } = await userAfter(account);
    expect((await userAfter({ ...account, email: newEmail() })).id).toBe(id);
    expect((await userAfter({ ...account, email: null })).id).toBe(id);
  });

  it('becomes the only way into a verified account with the same address, and tells its owner', async () => {
    const email = newEmail();
    const id = await addUser(email, passwordHash);
    const before = await login({ email, password: PASSWORD }, client);
    expect((await userAfter(at({ email }))).id).toBe(id);
    expect(await authenticate(before.tokens.access)).toBeNull();
    expect((await expectRejection(login({ email, password: PASSWORD }, client))).code).toBe(
      'invalid_credentials',
    );
    expect((await queuedEmails(email)).map(({ subject }) => subject)).toEqual([
      'Google was connected to your journal',
    ]);
    const kinds = (await recentActivity(id, 10)).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['identity.connected', 'login.accepted']));
  });

  it('leaves nothing to whoever opened an unverified account with that address', async () => {
    const email = newEmail();
    const id = await addUser(email, passwordHash);
    await db().update(users).set({ verifiedAt: null }).where(eq(users.id, id));
    const stranger = await login({ email, password: PASSWORD }, client);
    expect(await userAfter(at({ email }))).toMatchObject({ id, verified: true, firstName: 'Grace' });
    expect(await authenticate(stranger.tokens.access)).toBeNull();
    expect((await expectRejection(login({ email, password: PASSWORD }, client))).code).toBe(
      'invalid_credentials',
    );
  });

  it('refuses an address that is not verified there, and a second account of one provider', async () => {
    expect(await signInByProvider(at({ email: null }), client)).toEqual({ problem: 'unverified' });
    const email = newEmail();
    await userAfter(at({ email }));
    expect(await signInByProvider(at({ email }), client)).toEqual({ problem: 'taken' });
  });

  it('without a connection by now takes no code', async () => {
    const user = await userAfter(at());
    const waiting = { userId: user.id, account: at({ provider: 'github' }) };
    expect((await expectRejection(finishSignInWithCode(waiting, '000000', client))).code).toBe(
      'unauthenticated',
    );
  });
});

describe('connecting', () => {
  it('takes another address, but no account that is connected elsewhere', async () => {
    const id = await addUser(newEmail(), passwordHash);
    const user = await signedIn(id);
    const mine = at();
    expect(await linkAccount(user, mine)).toBeUndefined();
    expect((await userAfter(mine)).id).toBe(id);
    const other = await userAfter(at());
    expect(await linkAccount(other, { ...mine })).toBe('taken');
  });

  it('is undone with the password, and never where it is the last sign-in method', async () => {
    const id = await addUser(newEmail(), passwordHash);
    const user = await signedIn(id);
    expect(await linkAccount(user, at())).toBeUndefined();
    expect(
      (await expectRejection(unlinkAccount(user, 'google', { currentPassword: 'wrong' }, client))).fields,
    ).toHaveProperty('currentPassword');
    expect(
      (await expectRejection(unlinkAccount(user, 'github', { currentPassword: PASSWORD }, client))).code,
    ).toBe('not_found');
    await unlinkAccount(user, 'google', { currentPassword: PASSWORD }, client);
    const only = await userAfter(at());
    expect((await expectRejection(unlinkAccount(only, 'google', {}, client))).code).toBe('conflict');
    expect(user.id).toBe(id);
  });
});
