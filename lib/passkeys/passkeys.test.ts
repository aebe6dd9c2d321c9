import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { spentChallenges } from '@/db/schema/security';
import { hashPassword } from '@/lib/accounts/passwords';
import { recentActivity } from '@/lib/audit/service';
import { authenticate, type User } from '@/lib/sessions/service';
import { createSession } from '@/lib/sessions/start';
import { addUser, useFreshDatabase, waitingMails } from '@/test/app-database';
import { newClient, refusal } from '@/test/asking';
import { newAuthenticator } from '@/test/authenticator';
import { forgetOldChallenges, LIFETIME } from './challenge';
import { addPasskey, listPasskeys, passkeyOptions, removePasskey, renamePasskey } from './service';
import { signInOptions, signInWithPasskey } from './sign-in';

const PASSWORD = 'three quiet lamps';
let takeDown: () => Promise<void>;
let passwordHash: string;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => takeDown());

let user: User;
beforeEach(async () => {
  const id = await addUser(`${crypto.randomUUID()}@example.com`, passwordHash);
  user = await signedIn(id);
});

async function signedIn(id: string): Promise<User> {
  const tokens = await db().transaction((tx) =>
    createSession(tx, { id, verified: true }, newClient(), 'password'),
  );
  const found = await authenticate(tokens.access);
  if (!found) throw new Error('not signed in');
  return found;
}

const handleOf = ({ id }: User) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

async function addNew(owner = user) {
  const authenticator = newAuthenticator(handleOf(owner));
  const { challenge } = await passkeyOptions(owner, { currentPassword: PASSWORD }, newClient());
  const passkey = await addPasskey(owner, {
    name: 'My phone',
    credential: authenticator.register(challenge),
  });
  return { authenticator, passkey };
}

const signIn = (credential: ReturnType<ReturnType<typeof newAuthenticator>['assert']>) =>
  signInWithPasskey(credential, newClient());
const newChallenge = async () => (await signInOptions()).challenge;

/** Another base64url text of the same length. */
const altered = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

describe('signing in', () => {
  it('starts a session of its own and says so to the owner', async () => {
    const { authenticator } = await addNew();
    const { accountStatus, tokens } = await signIn(authenticator.assert(await newChallenge()));
    expect(accountStatus).toBe('VERIFIED');
    expect(await authenticate(tokens.access)).toMatchObject({ id: user.id });
    expect((await listPasskeys(user.id))[0]?.lastUsedAt).toBeInstanceOf(Date);
    expect(await recentActivity(user.id, 1)).toMatchObject([{ kind: 'login.accepted', detail: 'passkey' }]);
  });

  it('does not get an unverified account round its verification', async () => {
    const { authenticator } = await addNew();
    await db().update(users).set({ verifiedAt: null }).where(eq(users.id, user.id));
    const { accountStatus, tokens } = await signIn(authenticator.assert(await newChallenge()));
    expect(accountStatus).toBe('NOT_VERIFIED');
    expect(await authenticate(tokens.access)).toMatchObject({ verified: false });
  });

  it('takes an answer once, also when it is sent 20 times at once', async () => {
    const { authenticator } = await addNew();
    const answer = authenticator.assert(await newChallenge());
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => signIn(answer)));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    expect((await refusal(signIn(answer))).code).toBe('invalid_credentials');
  });

  it('refuses a challenge that is altered, for something else, or five minutes old', async () => {
    const { authenticator } = await addNew();
    const challenge = await newChallenge();
    const { challenge: toAdd } = await passkeyOptions(user, { currentPassword: PASSWORD }, newClient());
    for (const wrong of [
      altered(challenge, 3),
      altered(challenge, 25),
      altered(challenge, 50),
      toAdd,
      'AAAA',
    ]) {
      expect((await refusal(signIn(authenticator.assert(wrong)))).code).toBe('invalid_credentials');
    }
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(Date.now() + LIFETIME);
      expect((await refusal(signIn(authenticator.assert(challenge)))).code).toBe('invalid_credentials');
    } finally {
      vi.useRealTimers();
    }
    await signIn(authenticator.assert(challenge));
  });

  it('refuses another site, an unverified user, another key and another owner, all in the same words', async () => {
    const { authenticator } = await addNew();
    const challenge = await newChallenge();
    const other = newAuthenticator(handleOf(user));
    const forged = { ...other.assert(challenge), id: authenticator.id, rawId: authenticator.id };
    const foreign = { ...authenticator.assert(challenge) };
    const stranger = await signedIn(await addUser(`${crypto.randomUUID()}@example.com`));
    foreign.response = { ...foreign.response, userHandle: handleOf(stranger) };
    const refusals = await Promise.all(
      [
        authenticator.assert(challenge, { origin: 'https://daylight.example' }),
        authenticator.assert(challenge, { rpId: 'daylight.example' }),
        authenticator.assert(challenge, { verified: false }),
        other.assert(challenge),
        forged,
        foreign,
      ].map((answer) => refusal(signIn(answer))),
    );
    expect(new Set(refusals.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(refusals[0]?.code).toBe('invalid_credentials');
    await signIn(authenticator.assert(challenge));
  });

  it('refuses a copy of a key that counts', async () => {
    const { authenticator } = await addNew();
    authenticator.counter = 7;
    await signIn(authenticator.assert(await newChallenge()));
    authenticator.counter = 6;
    expect((await refusal(signIn(authenticator.assert(await newChallenge())))).code).toBe(
      'invalid_credentials',
    );
    authenticator.counter = 8;
    const challenges = await Promise.all(Array.from({ length: 10 }, newChallenge));
    const outcomes = await Promise.allSettled(challenges.map((one) => signIn(authenticator.assert(one))));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  });

  it('evaluates ten wrong answers of a client, and the owner elsewhere gets in', async () => {
    const { authenticator } = await addNew();
    const client = newClient();
    const wrong = authenticator.assert('AAAA');
    const refusals = await Promise.all(
      Array.from({ length: 30 }, () => refusal(signInWithPasskey(wrong, client))),
    );
    expect(refusals.filter(({ code }) => code === 'invalid_credentials')).toHaveLength(10);
    const noted = await recentActivity(user.id, 100);
    expect(noted.filter(({ kind }) => kind === 'passkey.refused')).toHaveLength(10);
    await signIn(authenticator.assert(await newChallenge()));
  });

  it('forgets spent challenges once nobody could answer them', async () => {
    const { authenticator } = await addNew();
    await signIn(authenticator.assert(await newChallenge()));
    const spent = await db().$count(spentChallenges);
    await forgetOldChallenges();
    expect(await db().$count(spentChallenges)).toBe(spent);
    await db()
      .update(spentChallenges)
      .set({ expiresAt: new Date(Date.now() - 1000) });
    await forgetOldChallenges();
    expect(await db().$count(spentChallenges)).toBe(0);
  });
});

describe('adding', () => {
  it('needs the password, and tells the owner by mail', async () => {
    for (const password of [undefined, '', 'wrong']) {
      const refused = await refusal(passkeyOptions(user, { currentPassword: password }, newClient()));
      expect(refused.fields).toHaveProperty('currentPassword');
    }
    await addNew();
    expect((await waitingMails(user.email)).map(({ subject }) => subject)).toEqual([
      'A passkey was added to your journal',
    ]);
  });

  it('takes the challenge of this very session once, and no other', async () => {
    const elsewhere = await signedIn(user.id);
    const { challenge } = await passkeyOptions(user, { currentPassword: PASSWORD }, newClient());
    const add = (as: User, wanted = challenge, how = {}) =>
      addPasskey(as, { name: 'A key', credential: newAuthenticator(handleOf(as)).register(wanted, how) });
    for (const wrong of [
      [elsewhere],
      [user, await newChallenge()],
      [user, challenge, { verified: false }],
      [user, challenge, { origin: 'https://daylight.example' }],
    ] as Parameters<typeof add>[]) {
      expect((await refusal(add(...wrong))).code).toBe('validation_failed');
    }
    await add(user);
    expect((await refusal(add(user))).code).toBe('validation_failed');
    expect(await listPasskeys(user.id)).toHaveLength(1);
  });

  it('does not take the key of somebody else', async () => {
    const { authenticator } = await addNew();
    const stranger = await signedIn(await addUser(`${crypto.randomUUID()}@example.com`, passwordHash));
    const { challenge } = await passkeyOptions(stranger, { currentPassword: PASSWORD }, newClient());
    const stolen = addPasskey(stranger, { name: 'Mine', credential: authenticator.register(challenge) });
    expect((await refusal(stolen)).code).toBe('conflict');
  });

  it('without a password needs a sign-in of the last ten minutes', async () => {
    await db().update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    await passkeyOptions(user, {}, newClient());
    const longAgo = new Date(Date.now() - 11 * 60_000);
    await db().update(sessions).set({ createdAt: longAgo }).where(eq(sessions.id, user.sessionId));
    const refused = await refusal(passkeyOptions(user, { currentPassword: 'anything' }, newClient()));
    expect(refused.fields).toHaveProperty('currentPassword');
  });
});

describe('renaming', () => {
  it('gives one another name, and does not find those of others', async () => {
    const { passkey } = await addNew();
    expect(await renamePasskey(user.id, passkey.id, 'Desk')).toMatchObject({ id: passkey.id, name: 'Desk' });
    const stranger = await signedIn(await addUser(`${crypto.randomUUID()}@example.com`, passwordHash));
    expect((await refusal(renamePasskey(stranger.id, passkey.id, 'Mine'))).code).toBe('not_found');
    expect((await listPasskeys(user.id)).map(({ name }) => name)).toEqual(['Desk']);
  });
});

describe('removing', () => {
  it('needs the password, tells the owner, and shuts that passkey out', async () => {
    const { authenticator, passkey } = await addNew();
    expect(
      (await refusal(removePasskey(user, passkey.id, { currentPassword: 'wrong' }, newClient()))).fields,
    ).toHaveProperty('currentPassword');
    await removePasskey(user, passkey.id, { currentPassword: PASSWORD }, newClient());
    expect((await waitingMails(user.email)).map(({ subject }) => subject)).toContain(
      'A passkey was removed from your journal',
    );
    const answer = authenticator.assert(await newChallenge());
    expect((await refusal(signIn(answer))).code).toBe('invalid_credentials');
  });

  it('does not find those of others', async () => {
    const { passkey } = await addNew();
    const stranger = await signedIn(await addUser(`${crypto.randomUUID()}@example.com`, passwordHash));
    expect(
      (await refusal(removePasskey(stranger, passkey.id, { currentPassword: PASSWORD }, newClient()))).code,
    ).toBe('not_found');
    expect(await listPasskeys(user.id)).toHaveLength(1);
  });

  it('never removes the last way in, also of two that are removed at once', async () => {
    const keys = [await addNew(), await addNew()];
    await db().update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    const outcomes = await Promise.allSettled(
      keys.map(({ passkey }) => removePasskey(user, passkey.id, {}, newClient())),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await listPasskeys(user.id)).toHaveLength(1);
  });
});
