import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { refreshTokens, sessions, users } from '@/db/schema/accounts';
import { requestDeletion } from '@/lib/account/deletion/service';
import { changePassword } from '@/lib/account/security/service';
import { disableAccount } from '@/lib/operations/operators/service';
import { useFreshDatabase } from '@/test/app-database';
import {
  createAccount,
  NEW_PASSWORD,
  newEmail,
  PASSWORD,
  resetPasswordByEmail,
  signInUser,
} from '@/test/auth-fixtures';
import { newClientInfo } from '@/test/client-info';
import {
  deleteExpiredSessions,
  endOneSession,
  endOtherSessions,
  rotateSession,
  type User,
  whySessionIsOver,
} from './service';
import { hashToken, newRefreshToken, newToken, type SessionTokens } from './tokens';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const proof = { currentPassword: PASSWORD };

/** Signs an account in on two devices. */
async function twoDevices() {
  const email = newEmail();
  const id = await createAccount(email);
  const [here, phone] = [await signInUser(id), await signInUser(id)];
  return { email, here, phone };
}

/** Says why a session is over, once that can't be renewed. */
async function reasonOf({ refresh }: SessionTokens) {
  expect(await rotateSession(refresh)).toBeNull();
  return whySessionIsOver(refresh);
}

type Devices = Awaited<ReturnType<typeof twoDevices>>;
const expireTokens = ({ sessionId }: User) =>
  db()
    .update(refreshTokens)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(refreshTokens.sessionId, sessionId));

it.each<[string, (devices: Devices) => Promise<unknown>]>([
  [
    'the device was signed out elsewhere',
    ({ here, phone }) => endOneSession(here.user.id, phone.user.sessionId),
  ],
  ['all others were signed out', ({ here }) => endOtherSessions(here.user.id, here.user.sessionId)],
  [
    'the password was changed',
    ({ here }) => changePassword(here.user, { ...proof, newPassword: NEW_PASSWORD }, newClientInfo()),
  ],
  ['the password was reset', ({ email }) => resetPasswordByEmail(email)],
  ['the account is going to be deleted', ({ here }) => requestDeletion(here.user, proof, newClientInfo())],
  ['the account was deleted', ({ here }) => db().delete(users).where(eq(users.id, here.user.id))],
  ['the account was turned off', ({ email }) => disableAccount(email)],
  [
    'it was ended before it expired',
    async ({ here, phone }) => {
      await endOneSession(here.user.id, phone.user.sessionId);
      await expireTokens(phone.user);
    },
  ],
])('a session was ended if %s', async (_, end) => {
  const devices = await twoDevices();
  await end(devices);
  expect(await reasonOf(devices.phone.tokens)).toBe('ended');
  // However often it's asked.
  expect(await reasonOf(devices.phone.tokens)).toBe('ended');
});

it('a session was ended if somebody else used its token', async () => {
  const { phone } = await twoDevices();
  const renewed = await rotateSession(phone.tokens.refresh);
  await db()
    .update(refreshTokens)
    .set({ spentAt: sql`now() - interval '31 seconds'` })
    .where(eq(refreshTokens.hash, hashToken(phone.tokens.refresh)));
  expect(await reasonOf(phone.tokens)).toBe('ended');
  expect(await reasonOf(renewed ?? phone.tokens)).toBe('ended');
});

it('a session has expired once its token or its 90 days have, also when its rows are gone', async () => {
  const { here, phone } = await twoDevices();
  await expireTokens(phone.user);
  expect(await reasonOf(phone.tokens)).toBe('expired');
  await db()
    .update(sessions)
    .set({ createdAt: sql`now() - interval '90 days'` })
    .where(eq(sessions.id, here.user.sessionId));
  expect(await reasonOf(here.tokens)).toBe('expired');
  const { token } = await newRefreshToken(-60);
  await deleteExpiredSessions();
  expect(await whySessionIsOver(token)).toBe('expired');
});

it('nothing was ended that we don’t know', async () => {
  const { phone } = await twoDevices();
  const altered = `${phone.tokens.refresh.slice(0, -4)}AAAA`;
  for (const token of [undefined, '', 'nonsense', '\u0000', 'x'.repeat(10_000), newToken().token, altered])
    expect(await whySessionIsOver(token)).toBe('expired');
});
