import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { knownDevices } from '@/db/schema/security';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { login } from '@/lib/account/registration/service';
import { noticeSubject } from '@/lib/account/security/mails';
import { findNotice, undoNotice } from '@/lib/account/security/notices';
import { changePassword } from '@/lib/account/security/service';
import type { Client } from '@/lib/foundation/request-scope';
import { addUser, queuedEmails, useFreshDatabase } from '@/test/app-database';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { latestNoticeLink, undoLatestNotice } from '@/test/security-notices';
import { authenticate, type User } from './service';
import type { SessionTokens } from './tokens';

const PASSWORD = 'three quiet lamps';
const THEIRS = 'four loud lanterns';
let takeDown: () => Promise<void>;
let passwordHash: string;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => takeDown());

let email: string;
let id: string;
beforeEach(async () => {
  email = `${crypto.randomUUID()}@example.com`;
  id = await addUser(email, passwordHash);
});

const signIn = async (password = PASSWORD, client: Client = newClientInfo()) =>
  (await login({ email, password }, client)).tokens;
const lives = async ({ access }: SessionTokens) => (await authenticate(access)) !== null;
const subjects = async () => (await queuedEmails(email)).map(({ subject }) => subject);

async function userOf(tokens: SessionTokens): Promise<User> {
  const user = await authenticate(tokens.access);
  if (!user) throw new Error('not signed in');
  return user;
}

it('a session keeps the start of what the browser says it is', async () => {
  await signIn(PASSWORD, { ...newClientInfo(), userAgent: 'x'.repeat(1000) });
  expect(await db().select().from(sessions).where(eq(sessions.userId, id))).toMatchObject([
    { userAgent: 'x'.repeat(300) },
  ]);
});

describe('a sign-in from a new device', () => {
  const laptop = { ...newClientInfo(), device: 'l'.repeat(43) };
  const phone = {
    ...newClientInfo(),
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  const NEWS = 'New sign-in to your journal';

  it('is told of once, and never for the first device', async () => {
    await signIn(PASSWORD, laptop);
    await signIn(PASSWORD, laptop);
    expect(await subjects()).toEqual([]);
    const { device } = await signIn(PASSWORD, phone);
    expect(device).toMatch(/^[\w-]{43}$/);
    expect(await subjects()).toEqual([NEWS]);
    expect((await queuedEmails(email))[0]?.text).toContain('Firefox on Linux');
    expect(noticeSubject('device')).toBe(NEWS);
    await signIn(PASSWORD, { ...phone, device: device ?? '' });
    expect(await subjects()).toEqual([NEWS]);
  });

  it('is given a cookie when it has none, by which it is known later', async () => {
    const { device: _, ...bare } = phone;
    const { device = '' } = await signIn(PASSWORD, bare);
    await signIn(PASSWORD, bare);
    expect(await subjects()).toEqual([NEWS]);
    await signIn(PASSWORD, { ...bare, device });
    expect(await subjects()).toEqual([NEWS]);
  });

  it('is signed out by the link, with the session that a new password gave it, and nothing else', async () => {
    const mine = await signIn(PASSWORD, laptop);
    const stolen = await signIn(PASSWORD, phone);
    const { uid, token } = await latestNoticeLink(email, NEWS);
    expect(await findNotice(uid, token)).toBe('device');
    expect(await lives(stolen)).toBe(true);
    await undoNotice(uid, token);
    expect([await lives(mine), await lives(stolen)]).toEqual([true, false]);
    expect((await expectRejection(undoNotice(uid, token))).code).toBe('invalid_or_expired_link');
    // Only that device is a stranger again.
    await signIn(PASSWORD, laptop);
    expect(await subjects()).toEqual([NEWS]);
    const again = await signIn(PASSWORD, phone);
    expect(await subjects()).toEqual([NEWS, NEWS]);
    const replaced = await changePassword(
      await userOf(again),
      { currentPassword: PASSWORD, newPassword: THEIRS },
      phone,
    );
    await undoLatestNotice(email, NEWS);
    expect(await lives(replaced)).toBe(false);
  });

  it('is any device after a change was undone, which may have been made from a known one', async () => {
    const mine = await signIn(PASSWORD, laptop);
    await signIn(PASSWORD, phone);
    expect(await db().$count(knownDevices, eq(knownDevices.userId, id))).toBe(2);
    const change = { currentPassword: PASSWORD, newPassword: THEIRS };
    await changePassword(await userOf(mine), change, laptop);
    await undoLatestNotice(email, 'Your password was changed');
    expect(await db().$count(knownDevices, eq(knownDevices.userId, id))).toBe(0);
  });

  it('is no news for an address that nobody has verified', async () => {
    await db().update(users).set({ verifiedAt: null }).where(eq(users.id, id));
    await signIn(PASSWORD, laptop);
    await signIn(PASSWORD, phone);
    expect(await subjects()).toEqual([]);
  });
});
