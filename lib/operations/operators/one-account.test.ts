import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { knownDevices } from '@/db/schema/security';
import { requestReset, resetPassword } from '@/lib/account/registration/service';
import { PLAN_LIMITS } from '@/lib/billing/plans/shared/limits';
import { latestEmailLink, useFreshDatabase } from '@/test/app-database';
import { createFullAccount, enableAuthenticatorApp, NEW_PASSWORD, signInUser } from '@/test/auth-fixtures';
import { newClientInfo } from '@/test/client-info';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import { rowsAbout } from '@/test/whole-state';
import { disableAccount, enableAccount, grantPlan, listAccounts, resetTwoFactor } from './service';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

/** An account with whatever an operator's command may change. */
async function withEverything() {
  const account = await createFullAccount();
  await enableAuthenticatorApp(account.user);
  await requestReset(account.email);
  await makeEntry(account.id, {
    ...{ videoStatus: 'failed', heldByPlan: true },
    durationMs: PLAN_LIMITS.Free.seconds * 1000 + 1,
  });
  return account;
}

const turnOff = ({ id }: { id: string }) =>
  db().update(users).set({ disabledAt: new Date() }).where(eq(users.id, id));

describe('a command about one account changes nothing of others', () => {
  it.each([
    ['turning it off', disableAccount],
    ['resetting its two-factor login', resetTwoFactor],
    ['giving it a plan', (email: string) => grantPlan(email, 'Standard')],
  ])('%s', async (_, change) => {
    const [one, other] = [await withEverything(), await withEverything()];
    const [mine, theirs] = [await rowsAbout(one.id), await rowsAbout(other.id)];
    expect(await change(one.email)).toBe(true);
    expect(await rowsAbout(other.id)).toEqual(theirs);
    expect(await rowsAbout(one.id)).not.toEqual(mine);
  });

  it('turning it back on, while another one is being erased', async () => {
    const [one, other] = [await withEverything(), await withEverything()];
    for (const account of [one, other]) await turnOff(account);
    const started = { userId: other.id, erasesAt: new Date(), startedAt: new Date() };
    await db().insert(accountDeletions).values(started);
    const theirs = await rowsAbout(other.id);
    expect(await enableAccount(one.email)).toBe(true);
    expect(await rowsAbout(other.id)).toEqual(theirs);
  });
});

it('an account that’s on isn’t turned on, and links from before it was off stay invalid', async () => {
  const { id, email } = await createFullAccount();
  const before = await rowsAbout(id);
  expect(await enableAccount(email)).toBe(false);
  expect(await rowsAbout(id)).toEqual(before);
  await requestReset(email);
  const { uid, token } = await latestEmailLink(email, 'reset');
  await disableAccount(email);
  await enableAccount(email);
  expect(await codeOf(resetPassword(uid, token, NEW_PASSWORD, newClientInfo()))).toBe(
    'invalid_or_expired_link',
  );
});

it('accounts are listed oldest first, each with what it holds outside the trash and where it was used last', async () => {
  const [young, old] = [
    await makeUser({ createdAt: new Date('2026-02-01') }),
    await makeUser({ createdAt: new Date('2026-01-01') }),
  ];
  for (const bytes of [1000, 20]) await makeEntry(old.id, { bytes, durationMs: 1500 });
  await makeEntry(old.id, { bytes: 4, trashedAt: new Date() });
  await makeEntry(young.id, { bytes: 300, durationMs: 7000 });
  await signInUser(old.id);
  const later = new Date(Date.now() + 60_000);
  await db().update(knownDevices).set({ lastSeenAt: later }).where(eq(knownDevices.userId, old.id));
  const emails = [old.email, young.email];
  const listed = (await listAccounts()).filter(({ email }) => emails.includes(email));
  expect(listed).toMatchObject([
    { email: old.email, videos: 2, bytes: 1020, seconds: 3, lastSeenAt: later },
    { email: young.email, videos: 1, bytes: 300, seconds: 7, lastSeenAt: null },
  ]);
});
