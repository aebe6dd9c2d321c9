import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { entries, notes, tags } from '@/db/schema/entries';
import { transcripts, vocabulary } from '@/db/schema/transcripts';
import { recentActivity } from '@/lib/account/activity/service';
import { signInByProvider } from '@/lib/account/providers/sign-in';
import { confirmEmailChange, requestEmailChange } from '@/lib/account/security/service';
import { assertStepUp } from '@/lib/account/security/step-up';
import { authenticate, endSessions, type User } from '@/lib/account/sessions/service';
import type { SessionTokens } from '@/lib/account/sessions/tokens';
import { latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import {
  createFullAccount,
  enableAuthenticatorApp,
  logIn,
  NEW_PASSWORD,
  newEmail,
  newUser,
  PASSWORD,
  resetPasswordByEmail,
  signInUser,
} from '@/test/auth-fixtures';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { undoLatestNotice } from '@/test/security-notices';
import { acknowledgeDeletion, cancelDeletion, describeDeletion, requestDeletion } from './service';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase({ settings: { STRIPE_SECRET_KEY: 'off' } });
});
afterAll(() => takeDown());

const proof = { currentPassword: PASSWORD };
const request = (user: User, given = proof) => requestDeletion(user, given, newClientInfo());
const rowOf = async ({ id }: User) =>
  (await db().select().from(accountDeletions).where(eq(accountDeletions.userId, id)))[0];
const subjectsTo = async ({ email }: User) => (await queuedEmails(email)).map(({ subject }) => subject);
const kindsOf = async ({ id }: User) => (await recentActivity(id, 20)).map(({ kind }) => kind);
const startErasure = ({ id }: User) =>
  db().update(accountDeletions).set({ startedAt: new Date() }).where(eq(accountDeletions.userId, id));
/** Moves an account to another address. @returns its owner, still with the former one */
async function takenOver() {
  const user = await newUser();
  const to = newEmail();
  await requestEmailChange(user, { email: to, ...proof }, newClientInfo());
  const { uid, token } = await latestEmailLink(to, 'change_email');
  await confirmEmailChange(user, uid, token);
  return { user, to };
}
const userOf = async (tokens: SessionTokens) => {
  const user = await authenticate(tokens.access);
  if (!user) throw new Error('not signed in');
  return user;
};

describe('requesting an account’s deletion', () => {
  it('waits seven days, signs out every session, and tells the owner', async () => {
    const { user, tokens } = await createFullAccount();
    const { tokens: elsewhere } = await signInUser(user.id);
    const { requestedAt, erasesAt } = await request(user);
    expect(Date.parse(erasesAt) - Date.parse(requestedAt)).toBe(7 * 24 * 3600 * 1000);
    for (const { access } of [tokens, elsewhere]) expect(await authenticate(access)).toBeNull();
    const day = new Intl.DateTimeFormat('en-US', {
      weekday: 'long',
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(erasesAt));
    const mail = (await queuedEmails(user.email)).at(-1);
    expect(mail?.subject).toBe(`Your account will be deleted on ${day} (UTC)`);
    expect(mail?.text.replace(/\s+/g, ' ')).toMatch(
      new RegExp(`${day}, at \\d+:\\d+ [AP]M UTC: .+ After that, nobody can bring it back\\.`),
    );
    expect(await kindsOf(user)).toContain('deletion.requested');
  });

  it('needs everything the account has', async () => {
    const user = await newUser();
    await enableAuthenticatorApp(user);
    expect((await expectRejection(request(user))).fields).toHaveProperty('code');
    expect((await expectRejection(request(user, { currentPassword: 'wrong' }))).code).toBe(
      'validation_failed',
    );
    expect(await rowOf(user)).toBeUndefined();
  });

  it('takes a passkey in place of the password', async () => {
    const { user, key } = await createFullAccount();
    await requestDeletion(user, { passkey: await key.confirm(user) }, newClientInfo());
    expect(await rowOf(user)).toMatchObject({ startedAt: null });
  });

  it('happens once', async () => {
    const user = await newUser();
    await request(user);
    const { user: again } = await signInUser(user.id);
    expect((await expectRejection(request(again))).code).toBe('conflict');
  });

  it('isn’t for a session that’s being ended from another device', async () => {
    const user = await newUser();
    const { waited, outcome } = await duringTransaction(
      (tx) => endSessions(tx, eq(sessions.id, user.sessionId)),
      () => request(user),
    );
    expect([waited, outcome]).toMatchObject([true, { reason: { code: 'unauthenticated' } }]);
    expect(await rowOf(user)).toBeUndefined();
  });
});

describe('an account that is going to be deleted', () => {
  it('asks each new session whether to keep it, however its owner signs in', async () => {
    const { id, email, user, google, key } = await createFullAccount();
    expect(user).toMatchObject({ erasesAt: null });
    await request(user);
    const byProvider = await signInByProvider(google, newClientInfo());
    if (!('tokens' in byProvider)) throw new Error('not signed in');
    const signedIn = [(await logIn(email, PASSWORD)).tokens, byProvider.tokens, (await key.signIn()).tokens];
    for (const tokens of signedIn) {
      expect(await userOf(tokens)).toMatchObject({ id, erasesAt: expect.any(Date), hasSeenDeletion: false });
    }
    const [first, second] = signedIn as [SessionTokens, SessionTokens];
    await acknowledgeDeletion(await userOf(first));
    expect(await userOf(first)).toMatchObject({ erasesAt: expect.any(Date), hasSeenDeletion: true });
    expect(await userOf(second)).toMatchObject({ hasSeenDeletion: false });
  });

  it('is kept when its owner says so, and hears about that', async () => {
    const user = await newUser();
    await request(user);
    const { user: back } = await signInUser(user.id);
    await cancelDeletion(back);
    expect(await rowOf(user)).toBeUndefined();
    expect(await subjectsTo(user)).toContain('Your account won’t be deleted');
    expect(await kindsOf(user)).toContain('deletion.canceled');
    expect((await expectRejection(cancelDeletion(back))).code).toBe('conflict');
  });

  it('can’t be kept once erasure has started', async () => {
    const user = await newUser();
    await request(user);
    const { user: back } = await signInUser(user.id);
    await startErasure(user);
    expect((await expectRejection(cancelDeletion(back))).code).toBe('conflict');
  });

  it('is kept when its owner undoes a takeover, and hears about that at the former address', async () => {
    const { user, to } = await takenOver();
    await request(user);
    await undoLatestNotice(user.email, 'Your email address was changed');
    expect(await rowOf(user)).toBeUndefined();
    expect(await subjectsTo(user)).toContain('Your account won’t be deleted');
    expect(await subjectsTo({ ...user, email: to })).not.toContain('Your account won’t be deleted');
    expect(await kindsOf(user)).toContain('deletion.canceled');
  });

  it('isn’t kept by undoing a takeover once erasure has started', async () => {
    const { user } = await takenOver();
    await request(user);
    await startErasure(user);
    await undoLatestNotice(user.email, 'Your email address was changed');
    expect(await rowOf(user)).toMatchObject({ startedAt: expect.any(Date) });
    expect(await subjectsTo(user)).not.toContain('Your account won’t be deleted');
  });

  it('stays that way after a password reset', async () => {
    const user = await newUser();
    await request(user);
    await resetPasswordByEmail(user.email);
    const back = await userOf((await logIn(user.email, NEW_PASSWORD)).tokens);
    expect(back).toMatchObject({ erasesAt: expect.any(Date), hasSeenDeletion: false });
    await assertStepUp(back, { currentPassword: NEW_PASSWORD }, newClientInfo());
  });
});

it('counts what an account has, and nothing of others', async () => {
  const user = await newUser();
  const entry = await makeEntry(user.id, { bytes: 5_000_000_000, durationMs: 90_000 });
  await makeEntry(user.id, { bytes: 10, durationMs: 500, trashedAt: new Date() });
  await makeEntry(user.id, { bytes: 0, durationMs: 0 });
  const other = await makeEntry((await makeUser()).id);
  for (const entryId of [entry.id, other.id]) {
    await db().insert(notes).values({ id: crypto.randomUUID(), entryId, text: 'A note' });
    for (const revision of [0, 1]) await db().insert(transcripts).values({ entryId, revision, words: [] });
  }
  await db().insert(tags).values({ id: crypto.randomUUID(), userId: user.id, name: 'Family' });
  await db().insert(vocabulary).values({ userId: user.id, word: 'Ngaire' });
  expect(await describeDeletion(user.id)).toEqual({
    deletion: null,
    subscription: null,
    contents: {
      entries: 3,
      entriesInTrash: 1,
      bytes: 5_000_000_010,
      seconds: 90,
      transcripts: 1,
      revisions: 2,
      notes: 1,
      tags: 1,
      hiddenMemories: 0,
      vocabulary: 1,
    },
  });
  expect(await db().$count(entries, eq(entries.userId, user.id))).toBe(3);
});
