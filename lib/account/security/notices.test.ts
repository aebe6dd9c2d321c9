import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { passkeys, securityNotices } from '@/db/schema/security';
import { addPasskey, listPasskeys, passkeyOptions, removePasskey } from '@/lib/account/passkeys/service';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { linkAccount, listLinkedAccounts } from '@/lib/account/providers/service';
import { login, requestReset, resetPassword } from '@/lib/account/registration/service';
import { authenticate, type User } from '@/lib/account/sessions/service';
import type { SessionTokens } from '@/lib/account/sessions/tokens';
import type { Client } from '@/lib/foundation/request-scope';
import { addUser, latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import { createVirtualAuthenticator } from '@/test/authenticator';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { latestNoticeLink, undoLatestNotice } from '@/test/security-notices';
import { deleteOldNotices, findNotice, undoNotice } from './notices';
import { changePassword, confirmEmailChange, requestEmailChange } from './service';

const PASSWORD = 'three quiet lamps';
const THEIRS = 'four loud lanterns';
let takeDown: () => Promise<void>;
let passwordHash: string;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  Object.assign(process.env, { GOOGLE_CLIENT_ID: 'daylight', GOOGLE_CLIENT_SECRET: 'secret' });
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => takeDown());

let email: string;
let id: string;
beforeEach(async () => {
  email = newEmail();
  id = await addUser(email, passwordHash);
});

const newEmail = () => `${crypto.randomUUID()}@example.com`;
const signIn = async (password = PASSWORD, client: Client = newClientInfo(), address = email) =>
  (await login({ email: address, password }, client)).tokens;
const lives = async ({ access }: SessionTokens) => (await authenticate(access)) !== null;
const subjects = async (to = email) => (await queuedEmails(to)).map(({ subject }) => subject);

async function userOf(tokens: SessionTokens): Promise<User> {
  const user = await authenticate(tokens.access);
  if (!user) throw new Error('not signed in');
  return user;
}

const undo = (subject: string) => undoLatestNotice(email, subject);

async function moveTo(user: User, to: string, currentPassword = PASSWORD): Promise<void> {
  await requestEmailChange(user, { email: to, currentPassword }, newClientInfo());
  const { uid, token } = await latestEmailLink(to, 'change_email');
  await confirmEmailChange(user, uid, token);
}

const handleOf = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
async function addKey(user: User, currentPassword = PASSWORD) {
  const { challenge } = await passkeyOptions(user, { currentPassword }, newClientInfo());
  const credential = createVirtualAuthenticator(handleOf(user.id)).register(challenge);
  return addPasskey(user, { name: 'http://evil.test/win', credential });
}

describe('undoing', () => {
  it('restores the password and signs out every session', async () => {
    const here = await signIn();
    const tokens = await changePassword(
      await userOf(here),
      { currentPassword: PASSWORD, newPassword: THEIRS },
      newClientInfo(),
    );
    await undo('Your password was changed');
    expect(await lives(tokens)).toBe(false);
    expect((await expectRejection(signIn(THEIRS))).code).toBe('invalid_credentials');
    await signIn();
  });

  it('restores the password that a reset has replaced, and voids links that wait', async () => {
    await requestReset(email);
    const first = await latestEmailLink(email, 'reset');
    await resetPassword(first.uid, first.token, THEIRS, newClientInfo());
    await requestReset(email);
    const second = await latestEmailLink(email, 'reset');
    await undo('Your password was reset');
    await signIn();
    expect(
      (await expectRejection(resetPassword(second.uid, second.token, THEIRS, newClientInfo()))).code,
    ).toBe('invalid_or_expired_link');
  });

  it('works once of 20 times at once', async () => {
    await changePassword(
      await userOf(await signIn()),
      { currentPassword: PASSWORD, newPassword: THEIRS },
      newClientInfo(),
    );
    const { uid, token } = await latestNoticeLink(email, 'Your password was changed');
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => undoNotice(uid, token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('of the oldest change wins over all that came later, whose links are void', async () => {
    const theirs = newEmail();
    const user = await userOf(await signIn());
    await moveTo(user, theirs);
    const elsewhere = newEmail();
    await moveTo({ ...user, email: theirs }, elsewhere);
    const session = await changePassword(
      user,
      { currentPassword: PASSWORD, newPassword: THEIRS },
      newClientInfo(),
    );
    await addKey({ ...user, ...(await userOf(session)) }, THEIRS);
    expect(await subjects()).toEqual(['Your email address was changed']);
    const later = await latestNoticeLink(elsewhere, 'Your password was changed');
    await undo('Your email address was changed');
    expect(await listPasskeys(id)).toEqual([]);
    expect((await expectRejection(undoNotice(later.uid, later.token))).code).toBe('invalid_or_expired_link');
    expect(await db().$count(securityNotices, eq(securityNotices.userId, id))).toBe(0);
    await signIn();
  });

  it('leaves older links working', async () => {
    const user = await userOf(await signIn());
    const session = await changePassword(
      user,
      { currentPassword: PASSWORD, newPassword: THEIRS },
      newClientInfo(),
    );
    await moveTo(await userOf(session), newEmail(), THEIRS);
    await undo('Your email address was changed');
    expect(await lives(await signIn(THEIRS))).toBe(true);
    await undo('Your password was changed');
    expect(await lives(await signIn())).toBe(true);
  });

  it('of an address is refused once somebody else has it, and changes nothing', async () => {
    const to = newEmail();
    const tokens = await signIn();
    await moveTo(await userOf(tokens), to);
    await addUser(email);
    const { uid, token } = await latestNoticeLink(email, 'Your email address was changed');
    for (const _ of [1, 2]) {
      expect((await expectRejection(undoNotice(uid, token))).code).toBe('invalid_or_expired_link');
    }
    expect(await lives(tokens)).toBe(true);
    await signIn(PASSWORD, newClientInfo(), to);
  });

  it('removes a passkey that was added and brings back one that was removed', async () => {
    const kept = await addKey(await userOf(await signIn()));
    await db().delete(securityNotices).where(eq(securityNotices.userId, id));
    const before = await db().select().from(passkeys).where(eq(passkeys.id, kept.id));
    const user = await userOf(await signIn());
    await addKey(user);
    await removePasskey(user, kept.id, { currentPassword: PASSWORD }, newClientInfo());
    await undo('A passkey was removed from your journal');
    expect(await listPasskeys(id)).toHaveLength(2);
    await undo('A passkey was added to your journal');
    expect(await db().select().from(passkeys).where(eq(passkeys.userId, id))).toEqual(before);
  });

  it('disconnects a provider that was connected', async () => {
    const user = await userOf(await signIn());
    const account = { provider: 'google' as const, id, email, firstName: 'A', lastName: 'L' };
    expect(await linkAccount(user, account)).toBeUndefined();
    await undo('Google was connected to your journal');
    expect(await listLinkedAccounts(id)).toEqual([{ provider: 'google', email: null, disabled: false }]);
  });

  it('is refused with another account’s id, after 72 hours, and with nonsense', async () => {
    await changePassword(
      await userOf(await signIn()),
      { currentPassword: PASSWORD, newPassword: THEIRS },
      newClientInfo(),
    );
    const { uid, token } = await latestNoticeLink(email, 'Your password was changed');
    const stranger = Buffer.from(await addUser(newEmail())).toString('base64url');
    const refused = [
      [stranger, token],
      [uid, 'x'.repeat(43)],
      ['nonsense', token],
      ['', '\u0000'],
    ] as const;
    for (const [owner, wrong] of refused) {
      expect((await expectRejection(undoNotice(owner, wrong))).code).toBe('invalid_or_expired_link');
      expect(await findNotice(owner, wrong)).toBeNull();
    }
    await db()
      .update(securityNotices)
      .set({ expiresAt: sql`${securityNotices.expiresAt} - interval '72 hours'` })
      .where(eq(securityNotices.userId, id));
    expect(await findNotice(uid, token)).toBeNull();
    expect((await expectRejection(undoNotice(uid, token))).code).toBe('invalid_or_expired_link');
    await deleteOldNotices();
    expect(await db().$count(securityNotices, eq(securityNotices.userId, id))).toBe(0);
  });
});

it('no security email shows a person’s own words, and the links are kept hashed', async () => {
  await addKey(await userOf(await signIn()));
  const { token } = await latestNoticeLink(email, 'A passkey was added to your journal');
  const [mail] = await queuedEmails(email);
  expect(mail?.html).not.toMatch(/evil\.test|Ada/);
  expect(JSON.stringify(await db().select().from(securityNotices))).not.toContain(token);
});
