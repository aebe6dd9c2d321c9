import { eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { mailLinks, users } from '@/db/schema/accounts';
import { rateLimits } from '@/db/schema/limits';
import { changePassword, requestEmailChange } from '@/lib/account/security/service';
import { authenticate } from '@/lib/account/sessions/service';
import type { Client } from '@/lib/foundation/request-scope';
import { latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import { login, register, requestReset } from './service';
import { resendToRegistered, resendVerification, verifyEmail } from './verification';

const asked: string[] = [];
let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase({ onQuery: (query) => asked.push(query) });
});
afterAll(() => takeDown());

const PASSWORD = 'three quiet lamps';
let clients = 0;
const newClient = (): Client => ({ address: `client ${++clients}`, userAgent: 'test' });
const newEmail = () => `${crypto.randomUUID()}@example.com`;
const person = (email: string) => ({
  email,
  password: PASSWORD,
  firstName: 'Ada',
  lastName: 'Lovelace',
  gender: 'female' as const,
  dateOfBirth: '1990-12-10',
});

async function subjectsTo(email: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { subject } of await queuedEmails(email)) counts[subject] = (counts[subject] ?? 0) + 1;
  return counts;
}

async function openAccount() {
  const email = newEmail();
  await register(person(email), newClient());
  const { uid, token } = await latestEmailLink(email, 'verify_email');
  await verifyEmail(uid, token);
  const { tokens } = await login({ email, password: PASSWORD }, newClient());
  const user = await authenticate(tokens.access);
  if (!user) throw new Error('not signed in');
  return { email, user };
}

/** Moves the account's last verification link a minute into the past. */
const passMinute = (userId: string) =>
  db()
    .update(mailLinks)
    .set({ createdAt: new Date(Date.now() - 61_000) })
    .where(eq(mailLinks.userId, userId));

it('sends one address five mails of a kind an hour, however many clients ask', async () => {
  const { email } = await openAccount();
  await Promise.all(Array.from({ length: 9 }, () => register(person(email), newClient())));
  await Promise.all(Array.from({ length: 9 }, () => requestReset(email)));
  expect(await subjectsTo(email)).toEqual({
    'Verify your email address': 1,
    'You already have an account': 5,
    'Set a new password': 5,
  });
});

it('counts verification mails of a signup and those sent again together', async () => {
  const email = newEmail();
  await register(person(email), newClient());
  const [user] = await db().select().from(users).where(eq(users.email, email));
  if (!user) throw new Error('no account');
  for (let round = 0; round < 4; round += 1) {
    await passMinute(user.id);
    await resendVerification({ ...user, verified: false }, newClient());
    await passMinute(user.id);
    await resendToRegistered(email);
  }
  expect(await subjectsTo(email)).toEqual({ 'Verify your email address': 5 });
});

it('sends one verification mail a minute, also when several are asked for at once', async () => {
  const email = newEmail();
  await register(person(email), newClient());
  const [user] = await db().select().from(users).where(eq(users.email, email));
  if (!user) throw new Error('no account');
  await passMinute(user.id);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () => resendVerification({ ...user, verified: false }, newClient())),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await resendToRegistered(email);
  expect(await subjectsTo(email)).toEqual({ 'Verify your email address': 2 });
  await db().update(users).set({ verifiedAt: new Date() }).where(eq(users.id, user.id));
  await passMinute(user.id);
  await resendToRegistered(email);
  expect(await subjectsTo(email), 'it’s verified').toEqual({ 'Verify your email address': 2 });
});

it('sends a new address five requests to confirm it, from however many accounts', async () => {
  const wanted = newEmail();
  for (let count = 0; count < 7; count += 1) {
    const { user } = await openAccount();
    await requestEmailChange(user, { email: wanted, currentPassword: PASSWORD }, newClient());
  }
  expect(await subjectsTo(wanted)).toEqual({ 'Confirm your new email address': 5 });
});

it('asks the database the same questions whether or not a mail is over its limit', async () => {
  const { email } = await openAccount();
  const questions = async () => {
    asked.length = 0;
    await register(person(email), newClient());
    return [...asked];
  };
  const sent = await questions();
  for (let count = 0; count < 5; count += 1) await questions();
  expect(await questions()).toEqual(sent);
  expect(await subjectsTo(email)).toMatchObject({ 'You already have an account': 5 });
});

it('sends again once the hour is over', async () => {
  const { email } = await openAccount();
  for (let count = 0; count < 7; count += 1) await requestReset(email);
  await db()
    .update(rateLimits)
    .set({ expire: Date.now() - 1 })
    .where(like(rateLimits.key, 'mail-reset:%'));
  for (let count = 0; count < 7; count += 1) await requestReset(email);
  expect(await subjectsTo(email)).toMatchObject({ 'Set a new password': 10 });
});

it('starts the hour over with each mail that is sent, so that no sixty minutes see more than five', async () => {
  const { email } = await openAccount();
  const resets = like(rateLimits.key, 'mail-reset:%');
  await db().delete(rateLimits).where(resets);
  await requestReset(email);
  const soon = Date.now() + 60_000;
  for (let count = 0; count < 6; count += 1) {
    await db().update(rateLimits).set({ expire: soon }).where(resets);
    await requestReset(email);
  }
  const [counter] = await db().select().from(rateLimits).where(resets);
  // The last of the five set it an hour ahead, and those that weren't sent left it alone.
  expect(counter?.expire).toBe(soon);
  await db().update(rateLimits).set({ points: 4 }).where(resets);
  await requestReset(email);
  const [later] = await db().select().from(rateLimits).where(resets);
  expect(later?.expire).toBeGreaterThan(soon);
});

it('never drops a notice of what has happened to an account', async () => {
  const account = await openAccount();
  let { user } = account;
  for (let count = 0; count < 7; count += 1) {
    const [currentPassword, newPassword] = [`${PASSWORD}${count || ''}`, `${PASSWORD}${count + 1}`];
    const { access } = await changePassword(user, { currentPassword, newPassword }, newClient());
    user = (await authenticate(access)) ?? user;
  }
  expect(await subjectsTo(account.email)).toMatchObject({ 'Your password was changed': 7 });
});

it("shows nobody's address in the counters", async () => {
  const counters = await db().select().from(rateLimits).where(like(rateLimits.key, 'mail-%'));
  expect(counters.length).toBeGreaterThan(5);
  expect(JSON.stringify(counters)).not.toContain('@');
});
