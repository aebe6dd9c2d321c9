import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { recentActivity } from '@/lib/account/activity/service';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { login, requestReset, resetPassword } from '@/lib/account/registration/service';
import { createSession } from '@/lib/account/sessions/create-session';
import { authenticate, endOneSession, type User } from '@/lib/account/sessions/service';
import { addUser, latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import { expectRejection, newClientInfo } from '@/test/client-info';
import {
  changePassword,
  confirmEmailChange,
  findEmailChange,
  rejectEmailChange,
  requestEmailChange,
} from './service';

const PASSWORD = 'three quiet lamps';
const NEW = 'four loud lanterns';
let takeDown: () => Promise<void>;
let passwordHash: string;
beforeAll(async () => {
  // One connection: a transaction that waited for a second one would never end.
  takeDown = await useFreshDatabase({ settings: { DATABASE_POOL_SIZE: '1' } });
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => takeDown());

const newEmail = () => `${crypto.randomUUID()}@example.com`;

let email: string;
let id: string;
beforeEach(async () => {
  email = newEmail();
  id = await addUser(email, passwordHash);
});

const signIn = () => login({ email, password: PASSWORD }, newClientInfo());

async function signedIn(userId = id): Promise<User> {
  const start = { id: userId, verified: true };
  const { access } = await db().transaction((tx) => createSession(tx, start, newClientInfo(), 'password'));
  const user = await authenticate(access);
  if (!user) throw new Error('not signed in');
  return user;
}

it('waits for the new address to be confirmed and tells the old one', async () => {
  const user = await signedIn();
  const to = newEmail();
  await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClientInfo());
  await signIn();
  const { uid, token } = await latestEmailLink(to, 'change_email');
  await confirmEmailChange(user, uid, token);
  expect((await expectRejection(signIn())).code).toBe('invalid_credentials');
  await login({ email: to, password: PASSWORD }, newClientInfo());
  expect((await queuedEmails(email)).map((mail) => mail.subject)).toEqual(['Your email address was changed']);
  expect((await expectRejection(confirmEmailChange(user, uid, token))).code).toBe('invalid_or_expired_link');
});

it('does not say that an address is taken, but to its owner', async () => {
  const user = await signedIn();
  const taken = newEmail();
  await addUser(taken);
  await requestEmailChange(user, { email: taken, currentPassword: PASSWORD }, newClientInfo());
  expect((await queuedEmails(taken)).map((mail) => mail.subject)).toEqual(['You already have an account']);
  expect(await latestEmailLink(taken, 'change_email')).toEqual({ uid: '', token: '' });
});

it('fails when somebody else has taken the address meanwhile, and changes nothing', async () => {
  const user = await signedIn();
  const to = newEmail();
  await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClientInfo());
  const { uid, token } = await latestEmailLink(to, 'change_email');
  await addUser(to);
  expect((await expectRejection(confirmEmailChange(user, uid, token))).code).toBe('invalid_or_expired_link');
  await signIn();
});

it('is confirmed only in the session that asked, and the link waits for that one', async () => {
  const user = await signedIn();
  const to = newEmail();
  await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClientInfo());
  const { uid, token } = await latestEmailLink(to, 'change_email');
  const elsewhere = await signedIn();
  const victim = await signedIn(await addUser(newEmail(), passwordHash));
  for (const visitor of [elsewhere, victim, null]) {
    expect(await findEmailChange(uid, token, visitor)).toEqual({ state: 'elsewhere' });
    if (!visitor) continue;
    expect(await expectRejection(confirmEmailChange(visitor, uid, token))).toMatchObject({
      code: 'invalid_or_expired_link',
      message: 'Open this link in the browser where you asked for the change.',
    });
  }
  expect(await findEmailChange(uid, token, user)).toEqual({ state: 'here', email: to });
  // It takes the token to learn that, even in the account's own session.
  expect(await findEmailChange(uid, token.slice(1), user)).toEqual({ state: 'invalid' });
  await confirmEmailChange(user, uid, token);
  expect(await findEmailChange(uid, token, user)).toEqual({ state: 'invalid' });
});

it('ends with the session that asked for it, and with a new password', async () => {
  const to = newEmail();
  const ask = async () => {
    const user = await signedIn();
    await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClientInfo());
    return { user, ...(await latestEmailLink(to, 'change_email')) };
  };
  const first = await ask();
  await endOneSession(id, first.user.sessionId);
  expect((await expectRejection(confirmEmailChange(first.user, first.uid, first.token))).code).toBe(
    'unauthenticated',
  );
  const second = await ask();
  await changePassword(second.user, { currentPassword: PASSWORD, newPassword: NEW }, newClientInfo());
  expect(await findEmailChange(second.uid, second.token, second.user)).toEqual({ state: 'invalid' });
  expect(await db().$count(users, eq(users.email, to))).toBe(0);
});

it('is rejected by whoever has the link, without a word to the account that asked', async () => {
  const user = await signedIn();
  const to = newEmail();
  await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClientInfo());
  const { uid, token } = await latestEmailLink(to, 'change_email');
  const before = await recentActivity(id, 100);
  await rejectEmailChange(uid, token);
  expect((await expectRejection(rejectEmailChange(uid, token))).code).toBe('invalid_or_expired_link');
  expect((await expectRejection(confirmEmailChange(user, uid, token))).code).toBe('invalid_or_expired_link');
  expect(await recentActivity(id, 100)).toEqual(before);
  expect(await queuedEmails(email)).toEqual([]);
  expect(await authenticate((await signIn()).tokens.access)).toMatchObject({ id, email });
});

it('shows the account that asked nothing of a rejection by its links to other addresses', async () => {
  const user = await signedIn();
  const [own, victim] = [newEmail(), newEmail()];
  const links = [];
  for (const to of [own, victim]) {
    await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClientInfo());
    links.push(await latestEmailLink(to, 'change_email'));
  }
  const [kept, rejected] = links;
  if (!kept || !rejected) throw new Error('no links');
  await rejectEmailChange(rejected.uid, rejected.token);
  await confirmEmailChange(user, kept.uid, kept.token);
  expect(
    await authenticate((await login({ email: own, password: PASSWORD }, newClientInfo())).tokens.access),
  ).toMatchObject({
    id,
  });
});

it('sends no link to reset the password to an address that is not the account’s anymore', async () => {
  const user = await signedIn();
  const to = newEmail();
  await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClientInfo());
  const { uid, token } = await latestEmailLink(to, 'change_email');
  // Both find the account by its old address; whichever is second must see what the first has done.
  await Promise.all([requestReset(email), confirmEmailChange(user, uid, token), requestReset(email)]);
  const old = await latestEmailLink(email, 'reset');
  expect((await expectRejection(resetPassword(old.uid, old.token, NEW, newClientInfo()))).code).toBe(
    'invalid_or_expired_link',
  );
});

it('needs the password', async () => {
  const user = await signedIn();
  const change = requestEmailChange(user, { email: newEmail(), currentPassword: 'wrong' }, newClientInfo());
  expect((await expectRejection(change)).fields).toHaveProperty('currentPassword');
});
