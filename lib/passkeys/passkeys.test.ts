import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { spentChallenges } from '@/db/schema/security';
import { recentActivity } from '@/lib/audit/service';
import { hashPassword } from '@/lib/credentials/passwords';
import { createSession } from '@/lib/security/sign-in';
import { authenticate, type User } from '@/lib/sessions/service';
import { deleteOldChallenges, LIFETIME } from '@/lib/webauthn/challenge';
import { addUser, queuedEmails, useFreshDatabase } from '@/test/app-database';
import { createVirtualAuthenticator } from '@/test/authenticator';
import { expectRejection, newClientInfo } from '@/test/client-info';
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
    createSession(tx, { id, verified: true }, newClientInfo(), 'password'),
  );
  const found = await authenticate(tokens.access);
  if (!found) throw new Error('not signed in');
  return found;
}

const handleOf = ({ id }: User) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

async function addNew(owner = user) {
  const authenticator = createVirtualAuthenticator(handleOf(owner));
  const { challenge } = await passkeyOptions(owner, { currentPassword: PASSWORD }, newClientInfo());
  const passkey = await addPasskey(owner, {
    name: 'My phone',
    credential: authenticator.register(challenge),
  });
  return { authenticator, passkey };
}

const signIn = (credential: ReturnType<ReturnType<typeof createVirtualAuthenticator>['assert']>) =>
  signInWithPasskey(credential, newClientInfo());
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
    expect((await expectRejection(signIn(answer))).code).toBe('invalid_credentials');
  });

  it('refuses a challenge that is altered, for something else, or five minutes old', async () => {
    const { authenticator } = await addNew();
    const challenge = await newChallenge();
    const { challenge: toAdd } = await passkeyOptions(user, { currentPassword: PASSWORD }, newClientInfo());
    for (const wrong of [
      altered(challenge, 3),
      altered(challenge, 25),
      altered(challenge, 50),
      toAdd,
      'AAAA',
    ]) {
      expect((await expectRejection(signIn(authenticator.assert(wrong)))).code).toBe('invalid_credentials');
    }
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(Date.now() + LIFETIME);
      expect((await expectRejection(signIn(authenticator.assert(challenge)))).code).toBe(
        'invalid_credentials',
      );
    } finally {
      vi.useRealTimers();
    }
    await signIn(authenticator.assert(challenge));
  });

  it('refuses another site, an unverified user, another key and another owner, all in the same words', async () => {
    const { authenticator } = await addNew();
    const challenge = await newChallenge();
    const other = createVirtualAuthenticator(handleOf(user));
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
      ].map((answer) => expectRejection(signIn(answer))),
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
    expect((await expectRejection(signIn(authenticator.assert(await newChallenge())))).code).toBe(
      'invalid_credentials',
    );
    authenticator.counter = 8;
    const challenges = await Promise.all(Array.from({ length: 10 }, newChallenge));
    const outcomes = await Promise.allSettled(challenges.map((one) => signIn(authenticator.assert(one))));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  });

  it('evaluates ten wrong answers of a client, and the owner elsewhere gets in', async () => {
    const { authenticator } = await addNew();
    const client = newClientInfo();
    const wrong = authenticator.assert('AAAA');
    const refusals = await Promise.all(
      Array.from({ length: 30 }, () => expectRejection(signInWithPasskey(wrong, client))),
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
    await deleteOldChallenges();
    expect(await db().$count(spentChallenges)).toBe(spent);
    await db()
      .update(spentChallenges)
      .set({ expiresAt: new Date(Date.now() - 1000) });
    await deleteOldChallenges();
    expect(await db().$count(spentChallenges)).toBe(0);
  });
});

describe('adding', () => {
  it('needs the password, and tells the owner by mail', async () => {
    for (const password of [undefined, '', 'wrong']) {
      const refused = await expectRejection(
        passkeyOptions(user, { currentPassword: password }, newClientInfo()),
      );
      expect(refused.fields).toHaveProperty('currentPassword');
    }
    await addNew();
    expect((await queuedEmails(user.email)).map(({ subject }) => subject)).toEqual([
      'A passkey was added to your journal',
    ]);
  });

  it('takes the challenge of this very session once, and no other', async () => {
    const elsewhere = await signedIn(user.id);
    const { challenge } = await passkeyOptions(user, { currentPassword: PASSWORD }, newClientInfo());
    const add = (as: User, wanted = challenge, how = {}) =>
      addPasskey(as, {
        name: 'A key',
        credential: createVirtualAuthenticator(handleOf(as)).register(wanted, how),
      });
    for (const wrong of [
      [elsewhere],
      [user, await newChallenge()],
      [user, challenge, { verified: false }],
      [user, challenge, { origin: 'https://daylight.example' }],
    ] as Parameters<typeof add>[]) {
      expect((await expectRejection(add(...wrong))).code).toBe('validation_failed');
    }
    await add(user);
    expect((await expectRejection(add(user))).code).toBe('validation_failed');
    expect(await listPasskeys(user.id)).toHaveLength(1);
  });

  it('does not take the key of somebody else', async () => {
    const { authenticator } = await addNew();
    const stranger = await signedIn(await addUser(`${crypto.randomUUID()}@example.com`, passwordHash));
    const { challenge } = await passkeyOptions(stranger, { currentPassword: PASSWORD }, newClientInfo());
    const stolen = addPasskey(stranger, { name: 'Mine', credential: authenticator.register(challenge) });
    expect((await expectRejection(stolen)).code).toBe('conflict');
  });

  it('without a password needs a sign-in of the last ten minutes', async () => {
    await db().update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    await passkeyOptions(user, {}, newClientInfo());
    const longAgo = new Date(Date.now() - 11 * 60_000);
    await db().update(sessions).set({ createdAt: longAgo }).where(eq(sessions.id, user.sessionId));
    const refused = await expectRejection(
      passkeyOptions(user, { currentPassword: 'anything' }, newClientInfo()),
    );
    expect(refused.fields).toHaveProperty('currentPassword');
  });
});

describe('renaming', () => {
  it('gives one another name, and does not find those of others', async () => {
    const { passkey } = await addNew();
    expect(await renamePasskey(user.id, passkey.id, 'Desk')).toMatchObject({ id: passkey.id, name: 'Desk' });
    const stranger = await signedIn(await addUser(`${crypto.randomUUID()}@example.com`, passwordHash));
    expect((await expectRejection(renamePasskey(stranger.id, passkey.id, 'Mine'))).code).toBe('not_found');
    expect((await listPasskeys(user.id)).map(({ name }) => name)).toEqual(['Desk']);
  });
});

describe('removing', () => {
  it('needs the password, tells the owner, and shuts that passkey out', async () => {
    const { authenticator, passkey } = await addNew();
    expect(
      (await expectRejection(removePasskey(user, passkey.id, { currentPassword: 'wrong' }, newClientInfo())))
        .fields,
    ).toHaveProperty('currentPassword');
    await removePasskey(user, passkey.id, { currentPassword: PASSWORD }, newClientInfo());
    expect((await queuedEmails(user.email)).map(({ subject }) => subject)).toContain(
      'A passkey was removed from your journal',
    );
    const answer = authenticator.assert(await newChallenge());
    expect((await expectRejection(signIn(answer))).code).toBe('invalid_credentials');
  });

  it('does not find those of others', async () => {
    const { passkey } = await addNew();
    const stranger = await signedIn(await addUser(`${crypto.randomUUID()}@example.com`, passwordHash));
    expect(
      (
        await expectRejection(
          removePasskey(stranger, passkey.id, { currentPassword: PASSWORD }, newClientInfo()),
        )
      ).code,
    ).toBe('not_found');
    expect(await listPasskeys(user.id)).toHaveLength(1);
  });

  it('never removes the last sign-in method, even of two removed at once', async () => {
    const keys = [await addNew(), await addNew()];
    await db().update(users).set({ passwordHash: null }).where(eq(users.id, user.id));
    const outcomes = await Promise.allSettled(
      keys.map(({ passkey }) => removePasskey(user, passkey.id, {}, newClientInfo())),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await listPasskeys(user.id)).toHaveLength(1);
  });
});
