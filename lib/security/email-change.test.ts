import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { hashPassword } from '@/lib/accounts/passwords';
import { login, requestReset, resetPassword } from '@/lib/accounts/service';
import { recentActivity } from '@/lib/audit/service';
import { authenticate, endOneSession, type User } from '@/lib/sessions/service';
import { createSession } from '@/lib/sessions/start';
import { addUser, newestLink, useFreshDatabase, waitingMails } from '@/test/app-database';
import { newClient, refusal } from '@/test/asking';
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
  takeDown = await useFreshDatabase();
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

const signIn = () => login({ email, password: PASSWORD }, newClient());

async function signedIn(userId = id): Promise<User> {
  const start = { id: userId, verified: true };
  const { access } = await db().transaction((tx) => createSession(tx, start, newClient(), 'password'));
  const user = await authenticate(access);
  if (!user) throw new Error('not signed in');
  return user;
}

it('waits for the new address to be confirmed and tells the old one', async () => {
  const user = await signedIn();
  const to = newEmail();
  await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClient());
  await signIn();
  const { uid, token } = await newestLink(to, 'change_email');
  await confirmEmailChange(user, uid, token);
  expect((await refusal(signIn())).code).toBe('invalid_credentials');
  await login({ email: to, password: PASSWORD }, newClient());
  expect((await waitingMails(email)).map((mail) => mail.subject)).toEqual(['Your email address was changed']);
  expect((await refusal(confirmEmailChange(user, uid, token))).code).toBe('invalid_or_expired_link');
});

it('does not say that an address is taken, but to its owner', async () => {
  const user = await signedIn();
  const taken = newEmail();
  await addUser(taken);
  await requestEmailChange(user, { email: taken, currentPassword: PASSWORD }, newClient());
  expect((await waitingMails(taken)).map((mail) => mail.subject)).toEqual(['You already have an account']);
  expect(await newestLink(taken, 'change_email')).toEqual({ uid: '', token: '' });
});

it('fails when somebody else has taken the address meanwhile, and changes nothing', async () => {
  const user = await signedIn();
  const to = newEmail();
  await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClient());
  const { uid, token } = await newestLink(to, 'change_email');
  await addUser(to);
  expect((await refusal(confirmEmailChange(user, uid, token))).code).toBe('invalid_or_expired_link');
  await signIn();
});

it('is confirmed only in the session that asked, and the link waits for that one', async () => {
  const user = await signedIn();
  const to = newEmail();
  await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClient());
  const { uid, token } = await newestLink(to, 'change_email');
  const elsewhere = await signedIn();
  const victim = await signedIn(await addUser(newEmail(), passwordHash));
  for (const visitor of [elsewhere, victim, null]) {
    expect(await findEmailChange(uid, token, visitor)).toEqual({ state: 'elsewhere' });
    if (!visitor) continue;
    expect(await refusal(confirmEmailChange(visitor, uid, token))).toMatchObject({
      code: 'invalid_or_expired_link',
      message: 'Open this link in the browser where you asked for the change.',
    });
  }
  expect(await findEmailChange(uid, token, user)).toEqual({ state: 'here', email: to });
  await confirmEmailChange(user, uid, token);
  expect(await findEmailChange(uid, token, user)).toEqual({ state: 'invalid' });
});

it('ends with the session that asked for it, and with a new password', async () => {
  const to = newEmail();
  const ask = async () => {
    const user = await signedIn();
    await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClient());
    return { user, ...(await newestLink(to, 'change_email')) };
  };
  const first = await ask();
  await endOneSession(id, first.user.sessionId);
  expect((await refusal(confirmEmailChange(first.user, first.uid, first.token))).code).toBe(
    'unauthenticated',
  );
  const second = await ask();
  await changePassword(second.user, { currentPassword: PASSWORD, newPassword: NEW }, newClient());
  expect(await findEmailChange(second.uid, second.token, second.user)).toEqual({ state: 'invalid' });
  expect(await db().$count(users, eq(users.email, to))).toBe(0);
});

it('is rejected by whoever has the link, without a word to the account that asked', async () => {
  const user = await signedIn();
  const to = newEmail();
  await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClient());
  const { uid, token } = await newestLink(to, 'change_email');
  const before = await recentActivity(id, 100);
  await rejectEmailChange(uid, token);
  expect((await refusal(rejectEmailChange(uid, token))).code).toBe('invalid_or_expired_link');
  expect((await refusal(confirmEmailChange(user, uid, token))).code).toBe('invalid_or_expired_link');
  expect(await recentActivity(id, 100)).toEqual(before);
  expect(await waitingMails(email)).toEqual([]);
  expect(await authenticate((await signIn()).tokens.access)).toMatchObject({ id, email });
});

it('shows the account that asked nothing of a rejection by its links to other addresses', async () => {
  const user = await signedIn();
  const [own, victim] = [newEmail(), newEmail()];
  const links = [];
  for (const to of [own, victim]) {
    await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClient());
    links.push(await newestLink(to, 'change_email'));
  }
  const [kept, rejected] = links;
  if (!kept || !rejected) throw new Error('no links');
  await rejectEmailChange(rejected.uid, rejected.token);
  await confirmEmailChange(user, kept.uid, kept.token);
  expect(
    await authenticate((await login({ email: own, password: PASSWORD }, newClient())).tokens.access),
  ).toMatchObject({
    id,
  });
});

it('sends no link to reset the password to an address that is not the account’s anymore', async () => {
  const user = await signedIn();
  const to = newEmail();
  await requestEmailChange(user, { email: to, currentPassword: PASSWORD }, newClient());
  const { uid, token } = await newestLink(to, 'change_email');
  // Both find the account by its old address; whichever is second must see what the first has done.
  await Promise.all([requestReset(email), confirmEmailChange(user, uid, token), requestReset(email)]);
  const old = await newestLink(email, 'reset');
  expect((await refusal(resetPassword(old.uid, old.token, NEW, newClient()))).code).toBe(
    'invalid_or_expired_link',
  );
});

it('needs the password', async () => {
  const user = await signedIn();
  const change = requestEmailChange(user, { email: newEmail(), currentPassword: 'wrong' }, newClient());
  expect((await refusal(change)).fields).toHaveProperty('currentPassword');
});
