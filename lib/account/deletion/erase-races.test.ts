import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { entries } from '@/db/schema/entries';
import { log } from '@/lib/foundation/log';
import { queuedEmails } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { eraseDueAccounts } from './erase';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

let user: Awaited<ReturnType<typeof makeUser>>;
beforeEach(async () => {
  user = await makeUser();
  await db()
    .insert(accountDeletions)
    .values({ userId: user.id, requestedAt: sql`now() - interval '7 days'`, erasesAt: sql`now()` });
});

const ofAccount = () => eq(accountDeletions.userId, user.id);
/** What the account's owner was told. */
const lastMails = async () =>
  (await queuedEmails(user.email)).filter(({ subject }) => subject === 'Your account has been deleted');

it('keeps an account that’s being turned off, whose owner can’t sign in to keep it', async () => {
  const erasing = await duringTransaction(
    (tx) => tx.update(users).set({ disabledAt: sql`now()` }).where(eq(users.id, user.id)),
    eraseDueAccounts,
  );
  expect(erasing).toEqual({ waited: true, outcome: { status: 'fulfilled' } });
  expect(await db().select().from(accountDeletions).where(ofAccount())).toMatchObject([{ startedAt: null }]);
  await db().delete(accountDeletions).where(ofAccount());
});

it('counts files once, before any is deleted', async () => {
  // Closes the account, and would erase it once the address has expired.
  await makeEntry(user.id, { uploadExpiresAt: new Date(Date.now() + 3_600_000) });
  await eraseDueAccounts();
  const uncounted = { objects: null, bytes: null, uploadsExpireAt: null };
  await db().update(accountDeletions).set(uncounted).where(ofAccount());
  const counted = { objects: 7, bytes: 70 };
  const erasing = await duringTransaction(
    (tx) => tx.update(accountDeletions).set(counted).where(ofAccount()),
    eraseDueAccounts,
  );
  expect(erasing).toEqual({ waited: true, outcome: { status: 'fulfilled' } });
  const [mail] = await lastMails();
  const receipt = /\.(ey[\w-]+)\./.exec(mail?.text ?? '')?.[1] ?? '';
  expect(JSON.parse(Buffer.from(receipt, 'base64url').toString()).erased).toMatchObject({
    objects: 7,
    objectBytes: 70,
  });
});

it('says that an account is gone once, if two processes erase it', async () => {
  const logged = vi.spyOn(log, 'info');
  const erasing = await duringTransaction(
    // Keeps them from deleting the account's row, and from nothing before that.
    (tx) => tx.select().from(users).where(eq(users.id, user.id)).for('key share'),
    () => Promise.all([eraseDueAccounts(), eraseDueAccounts()]),
    { waiting: 2 },
  );
  expect(erasing).toMatchObject({ waited: true, outcome: { status: 'fulfilled' } });
  expect(await lastMails()).toHaveLength(1);
  // The second one would delete the first one's email, unless that has been sent.
  const erased = expect.objectContaining({ event: 'account.erased', userId: user.id });
  expect(logged.mock.calls.filter(([facts]) => erased.asymmetricMatch(facts))).toHaveLength(1);
});

it('deletes entries while others lock them in the usual order', async () => {
  const ids = ['b', 'a'].map((digit) => `00000000-0000-7000-8000-${digit.repeat(12)}`);
  for (const id of ids) await makeEntry(user.id, { id });
  const [first, second] = ids.toSorted();
  const lock = (id = '') => db().select().from(entries).where(eq(entries.id, id)).for('update');
  const erasing = await duringTransaction((tx) => tx.execute(lock(first).getSQL()), eraseDueAccounts, {
    finish: (tx) => tx.execute(lock(second).getSQL()),
  });
  expect(erasing).toEqual({ waited: true, outcome: { status: 'fulfilled' } });
  expect(await db().select().from(users).where(eq(users.id, user.id))).toEqual([]);
});
