import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { spentChallenges } from '@/db/schema/security';
import { recentActivity } from '@/lib/account/activity/service';
import { authenticate, type User } from '@/lib/account/sessions/service';
import { deleteOldChallenges, LIFETIME } from '@/lib/account/webauthn/challenge';
import { useFreshDatabase } from '@/test/app-database';
import { newChallenge, newUser, PASSWORD, registerPasskey, userHandle } from '@/test/auth-fixtures';
import { createVirtualAuthenticator } from '@/test/authenticator';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { listPasskeys, passkeyOptions } from './service';
import { signInWithPasskey } from './sign-in';

let takeDown: () => Promise<void>;
let user: User;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
beforeEach(async () => {
  user = await newUser();
});
afterAll(() => takeDown());

const signIn = (credential: Parameters<typeof signInWithPasskey>[0]) =>
  signInWithPasskey(credential, newClientInfo());

/** Returns another base64url text of the same length. */
const altered = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

describe('signing in', () => {
  it('starts a session of its own and says so to the owner', async () => {
    const { authenticator } = await registerPasskey(user);
    const { accountStatus, tokens } = await signIn(authenticator.assert(await newChallenge()));
    expect(accountStatus).toBe('VERIFIED');
    expect(await authenticate(tokens.access)).toMatchObject({ id: user.id });
    expect((await listPasskeys(user.id))[0]?.lastUsedAt).toEqual(expect.any(String));
    expect(await recentActivity(user.id, 1)).toMatchObject([{ kind: 'login.accepted', detail: 'passkey' }]);
  });

  it('does not get an unverified account round its verification', async () => {
    const { authenticator } = await registerPasskey(user);
    await db().update(users).set({ verifiedAt: null }).where(eq(users.id, user.id));
    const { accountStatus, tokens } = await signIn(authenticator.assert(await newChallenge()));
    expect(accountStatus).toBe('NOT_VERIFIED');
    expect(await authenticate(tokens.access)).toMatchObject({ verified: false });
  });

  it('takes an answer once, also when it is sent 20 times at once', async () => {
    const { authenticator } = await registerPasskey(user);
    const answer = authenticator.assert(await newChallenge());
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => signIn(answer)));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    expect((await expectRejection(signIn(answer))).code).toBe('invalid_credentials');
  });

  it('refuses a challenge that is altered, for something else, or five minutes old', async () => {
    const { authenticator } = await registerPasskey(user);
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
    const { authenticator } = await registerPasskey(user);
    const challenge = await newChallenge();
    const other = createVirtualAuthenticator(userHandle(user));
    const forged = { ...other.assert(challenge), id: authenticator.id, rawId: authenticator.id };
    const foreign = { ...authenticator.assert(challenge) };
    const stranger = await newUser();
    foreign.response = { ...foreign.response, userHandle: userHandle(stranger) };
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
    const { authenticator } = await registerPasskey(user);
    authenticator.counter = 7;
    await signIn(authenticator.assert(await newChallenge()));
    for (const counter of [6, 7, 0]) {
      authenticator.counter = counter;
      const { code } = await expectRejection(signIn(authenticator.assert(await newChallenge())));
      expect([counter, code]).toEqual([counter, 'invalid_credentials']);
    }
    authenticator.counter = 8;
    const challenges = await Promise.all(Array.from({ length: 10 }, newChallenge));
    const outcomes = await Promise.allSettled(challenges.map((one) => signIn(authenticator.assert(one))));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  });

  it('evaluates ten wrong answers of a client, and the owner elsewhere gets in', async () => {
    const { authenticator } = await registerPasskey(user);
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
    const { authenticator } = await registerPasskey(user);
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
