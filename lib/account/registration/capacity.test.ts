import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { twoFactor } from '@/db/schema/security';
import { withHashingLimit } from '@/lib/account/passwords/passwords';
import { changePassword } from '@/lib/account/security/service';
import { authenticate } from '@/lib/account/sessions/service';
import { setUpTwoFactor } from '@/lib/account/two-factor/service';
import type { AppError } from '@/lib/foundation/contract/errors';
import type { Client } from '@/lib/foundation/request-scope';
import { latestEmailLink, useFreshDatabase } from '@/test/app-database';
import { login, register, requestReset, resetPassword } from './service';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const PASSWORD = 'three quiet lamps';
const from = (address: string): Client => ({ address, userAgent: 'test' });
const newEmail = () => `${crypto.randomUUID()}@example.com`;
const person = (email: string) => ({
  email,
  password: PASSWORD,
  firstName: 'Ada',
  lastName: 'Lovelace',
  gender: 'female' as const,
  dateOfBirth: '1990-12-10',
});

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: AppError) => error.code ?? String(error),
  );
}

function count(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Takes all ten of a client's hashing slots, as a flood would, until the returned function is called. */
async function occupy(client: Client): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let holders: Promise<void>[] = [];
  await new Promise<void>((resolve) => {
    let inside = 0;
    holders = Array.from({ length: 10 }, () =>
      withHashingLimit('login', { subject: newEmail(), client: client.address }, async () => {
        inside += 1;
        if (inside === 10) resolve();
        await released;
      }),
    );
  });
  return async () => {
    release();
    await Promise.all(holders);
  };
}

it('evaluates ten of 200 sign-ins that one client sends at once for 200 addresses', async () => {
  const flood = Array.from({ length: 200 }, () =>
    outcomeOf(login({ email: newEmail(), password: 'wrong' }, from('192.0.2.9'))),
  );
  expect(count(await Promise.all(flood))).toEqual({ invalid_credentials: 10, unavailable: 190 });
});

it('refuses what one client sends while ten of its tries are in progress, and signs others in', async () => {
  const email = newEmail();
  const [flooding, other] = [from('192.0.2.1'), from('192.0.2.2')];
  await register(person(email), other);
  const release = await occupy(flooding);
  const flood = Array.from({ length: 190 }, () =>
    login({ email: newEmail(), password: 'wrong' }, flooding).then(
      () => expect.unreachable(),
      (error: AppError) => error,
    ),
  );
  for (const { code, retryAfter } of await Promise.all(flood)) {
    expect(code).toBe('unavailable');
    expect(retryAfter).toBeGreaterThan(0);
  }
  expect(await outcomeOf(login({ email, password: PASSWORD }, other))).toBe('ok');
  await release();
  expect(await outcomeOf(login({ email, password: PASSWORD }, flooding))).toBe('ok');
});

it('refuses every hashing of that client: signup, reset, change of password', async () => {
  const flooding = from('192.0.2.3');
  const email = newEmail();
  await register(person(email), from('192.0.2.4'));
  const { tokens } = await login({ email, password: PASSWORD }, from('192.0.2.4'));
  const user = await authenticate(tokens.access);
  if (!user) throw new Error('not signed in');
  await requestReset(email);
  const { uid, token } = await latestEmailLink(email, 'reset');
  const release = await occupy(flooding);
  const change = { currentPassword: PASSWORD, newPassword: 'four loud lanterns' };
  expect(await outcomeOf(register(person(newEmail()), flooding))).toBe('unavailable');
  expect(await outcomeOf(resetPassword(uid, token, 'four loud lanterns', flooding))).toBe('unavailable');
  expect(await outcomeOf(changePassword(user, change, flooding))).toBe('unavailable');
  await release();
  expect(await outcomeOf(resetPassword(uid, token, 'four loud lanterns', flooding))).toBe('ok');
});

it('counts neither what it shed nor right passwords as failures', async () => {
  const email = newEmail();
  const client = from('192.0.2.5');
  const release = await occupy(client);
  const shed = Array.from({ length: 40 }, () => outcomeOf(register(person(newEmail()), client)));
  expect(count(await Promise.all(shed))).toEqual({ unavailable: 40 });
  await release();
  await register(person(email), client);
  for (let opened = 1; opened < 30; opened += 1) {
    expect(await outcomeOf(register(person(newEmail()), client))).toBe('ok');
  }
  expect(await outcomeOf(register(person(newEmail()), client))).toBe('rate_limited');
  for (let round = 0; round < 11; round += 1) {
    const tries = Array.from({ length: 10 }, () => outcomeOf(login({ email, password: PASSWORD }, client)));
    expect(count(await Promise.all(tries))).toEqual({ ok: 10 });
  }
});

it('counts no failure while a right password waits for its code', async () => {
  const email = newEmail();
  const client = from('192.0.2.8');
  await register(person(email), client);
  const [user] = await db().select().from(users).where(eq(users.email, email));
  if (!user) throw new Error('no account');
  await setUpTwoFactor(user);
  await db().update(twoFactor).set({ confirmedAt: new Date() }).where(eq(twoFactor.userId, user.id));
  for (let count = 0; count < 12; count += 1) {
    expect(await outcomeOf(login({ email, password: PASSWORD }, client))).toBe('validation_failed');
  }
});

it('refuses a client after 100 failures without hashing, and lets others in', async () => {
  const email = newEmail();
  await register(person(email), from('192.0.2.6'));
  const client = from('192.0.2.7');
  const outcomes: string[] = [];
  for (let round = 0; round < 11; round += 1) {
    const tries = Array.from({ length: 10 }, () => login({ email: newEmail(), password: 'wrong' }, client));
    outcomes.push(...(await Promise.all(tries.map(outcomeOf))));
  }
  expect(count(outcomes)).toEqual({ invalid_credentials: 100, rate_limited: 10 });
  expect(await outcomeOf(login({ email, password: PASSWORD }, client))).toBe('rate_limited');
  expect(await outcomeOf(login({ email, password: PASSWORD }, from('192.0.2.6')))).toBe('ok');
});
