import { PutObjectCommand } from '@aws-sdk/client-s3';
import { eq, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { customers } from '@/db/schema/billing';
import { accountDeletions } from '@/db/schema/deletions';
import { entries } from '@/db/schema/entries';
import { outbox } from '@/db/schema/outbox';
import { startCheckout } from '@/lib/billing/subscriptions/service';
import { beginMultipart } from '@/lib/clients/multipart';
import { bucket, s3 } from '@/lib/clients/storage';
import { listObjects, listUploads } from '@/lib/clients/storage-listing';
import { log } from '@/lib/foundation/log';
import { decryptMail } from '@/lib/messaging/outbox/encrypted-mail';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import { enableAccount } from '@/lib/operations/operators/service';
import { signInUser } from '@/test/auth-fixtures';
import { type BillingFixture, startBillingFixture } from '@/test/billing-fixture';
import { expectRejection } from '@/test/client-info';
import { makeEntry, makeUser } from '@/test/factories';
import { startProxy } from '@/test/leaks/proxy';
import { refuseWrites } from '@/test/refused-writes';
import { startStorageProxy } from '@/test/storage-proxy';
import { allOf } from '@/test/whole-state';
import { eraseDueAccounts } from './erase';
import { cancelDeletion } from './service';

let shop: BillingFixture;
let storage: Awaited<ReturnType<typeof startStorageProxy>>;
let stripe: Awaited<ReturnType<typeof startProxy>>;
let isStripeAway = false;
/** What Stripe no longer has. */
let missingAtStripe: string | undefined;

beforeAll(async () => {
  shop = await startBillingFixture();
  storage = await startStorageProxy(process.env.S3_ENDPOINT ?? '');
  stripe = await startProxy(() => shop.till.url(), {
    answerItself: ({ url }, outgoing) => {
      const isMissing = missingAtStripe !== undefined && Boolean(url?.endsWith(missingAtStripe));
      const error = { type: 'invalid_request_error', code: 'resource_missing' };
      if (isStripeAway) outgoing.writeHead(503).end('{}');
      else if (isMissing) outgoing.writeHead(404).end(JSON.stringify({ error }));
      return isStripeAway || isMissing;
    },
  });
  Object.assign(process.env, { S3_ENDPOINT: storage.url, STRIPE_API_BASE: stripe.url });
});
afterAll(async () => {
  await Promise.all([storage.close(), stripe.close()]);
  await shop.end();
});

const putObject = (key: string) =>
  s3().send(new PutObjectCommand({ Bucket: bucket(), Key: key, Body: 'twelve bytes' }));
const objectsBelow = async (prefix: string) => (await allOf(listObjects(prefix))).map(({ key }) => key);
const accountExists = async (id: string) => (await db().$count(users, eq(users.id, id))) > 0;
async function mailsInOutbox() {
  const rows = await db().select().from(outbox).where(eq(outbox.kind, 'mail'));
  return Promise.all(rows.map(({ payload }) => decryptMail(payload)));
}
const lastMails = async (email: string) =>
  (await mailsInOutbox()).filter(
    ({ to, subject }) => to === email && subject === 'Your account has been deleted',
  );
const timesLogged = ({ mock }: { mock: { calls: unknown[][] } }, event: string) =>
  mock.calls.filter(([fields]) => (fields as { event?: string }).event === event).length;
const receiptIn = (text = '') =>
  JSON.parse(Buffer.from(/\.(ey[\w-]+)\./.exec(text)?.[1] ?? '', 'base64url').toString());

/** Makes an account with two entries, files, and an unfinished upload, whose deletion is due. */
async function makeDue(user: { id: string; email: string }) {
  const { id } = user;
  for (const title of ['One', 'Two']) {
    const entry = await makeEntry(id, { title });
    for (const name of ['source', 'video.mp4']) await putObject(`entries/${id}/${entry.id}/${name}`);
  }
  const unfinished = await makeEntry(id, { videoStatus: 'uploading' });
  await beginMultipart(`entries/${id}/${unfinished.id}/source`, 'video/mp4');
  await putObject(`exports/${id}/archive.zip`);
  await beginMultipart(`exports/${id}/unfinished.zip`, 'application/zip');
  await db()
    .insert(accountDeletions)
    .values({ userId: id, requestedAt: sql`now() - interval '7 days'`, erasesAt: sql`now()` });
  return user;
}

async function expectErased({ id, email }: { id: string; email: string }) {
  expect(await accountExists(id)).toBe(false);
  for (const folder of [`entries/${id}/`, `exports/${id}/`])
    expect([await objectsBelow(folder), await allOf(listUploads(folder))]).toEqual([[], []]);
  const [mail, ...more] = await lastMails(email);
  expect(more).toEqual([]);
  expect(receiptIn(mail?.text).erased).toMatchObject({ entries: 3, objects: 5, objectBytes: 60 });
  const events = await db()
    .select()
    .from(outbox)
    .where(like(outbox.payload, `%${id}%`));
  expect(events.map((row) => row.id).sort()).toEqual([`erased-${id}`, `erased-at-last-${id}`].sort());
}

it('erases an account whose seven days are over, with its files and its customer at Stripe', async () => {
  const user = await makeDue(await shop.subscriber('Basic'));
  const customer = await shop.customerOf(user.id);
  const [subscription] = await shop.subscriptionsOf(user.id);
  const other = await makeEntry((await shop.subscriber('Basic')).id);
  await putObject(other.videoKey ?? '');
  await eraseDueAccounts();
  await expectErased(user);
  const [mail] = await lastMails(user.email);
  expect(receiptIn(mail?.text).erased).toMatchObject({ stripeCustomers: 1, subscriptions: 1 });
  expect(await shop.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  expect(await shop.stripe.subscriptions.retrieve(subscription?.id ?? '')).toMatchObject({
    status: 'canceled',
  });
  expect(await objectsBelow(other.videoKey ?? '')).toHaveLength(1);
  expect(await db().$count(entries, eq(entries.id, other.id))).toBe(1);
});

it('deletes the customer even if Stripe no longer has one of its older subscriptions', async () => {
  const user = await makeDue(await shop.subscriber('Basic'));
  const customer = await shop.customerOf(user.id);
  const [older] = await shop.subscriptionsOf(user.id);
  missingAtStripe = older?.id;
  await shop.stripe.subscriptions.cancel(older?.id ?? '');
  await shop.pay(await startCheckout(user, 'Standard'));
  const [newer] = await shop.subscriptionsOf(user.id);
  expect(newer).toMatchObject({ status: 'active', id: expect.not.stringMatching(older?.id ?? '') });
  await eraseDueAccounts();
  missingAtStripe = undefined;
  await expectErased(user);
  expect(await shop.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  expect(await shop.stripe.subscriptions.retrieve(newer?.id ?? '')).toMatchObject({ status: 'canceled' });
});

it('deletes the emails that waited to be sent to an account, or to an address it had before', async () => {
  const user = await makeDue(await makeUser());
  const link = `http://localhost:3000/security_notice/${Buffer.from(user.id).toString('base64url')}/token/`;
  const waiting = [
    { to: user.email, subject: 'Waiting', text: 'Hello' },
    { to: 'former@example.com', subject: 'To a former address', text: `Undo it: ${link}` },
    { to: 'other@example.com', subject: 'To somebody else', text: 'Hello' },
  ];
  for (const mail of waiting) await enqueueMail(db(), { ...mail, html: '' });
  await eraseDueAccounts();
  const subjects = (await mailsInOutbox()).map(({ subject }) => subject);
  expect(subjects).toEqual(expect.arrayContaining(['To somebody else', 'Your account has been deleted']));
  for (const gone of ['Waiting', 'To a former address']) expect(subjects).not.toContain(gone);
});

it('leaves accounts alone that have time left, or whose owner has kept them', async () => {
  const [early, kept] = [await makeDue(await makeUser()), await makeDue(await makeUser())];
  const later = { erasesAt: sql`now() + interval '1 minute'` };
  await db().update(accountDeletions).set(later).where(eq(accountDeletions.userId, early.id));
  await cancelDeletion((await signInUser(kept.id)).user);
  await eraseDueAccounts();
  for (const { id } of [early, kept]) {
    expect(await accountExists(id)).toBe(true);
    expect(await objectsBelow(`entries/${id}/`)).toHaveLength(4);
  }
});

describe('an erasure that’s interrupted', () => {
  const breakStripe = async () => {
    isStripeAway = true;
    return async () => {
      isStripeAway = false;
    };
  };
  const breakStorage = (pattern: RegExp) => async () => storage.refuse(pattern, 503);

  it.each<[at: string, breakIt: () => Promise<() => unknown>]>([
    ['the list of objects', breakStorage(/^GET /)],
    ['Stripe', breakStripe],
    ['an unfinished upload', breakStorage(/^DELETE .*\/source$/)],
    ['the entries', () => refuseWrites('entries', 'delete')],
    ['an object', breakStorage(/^DELETE .*video\.mp4/)],
    ['an archive', breakStorage(/^DELETE .*archive\.zip/)],
    ['the account itself', () => refuseWrites('users', 'delete')],
  ])('at %s says nothing, lets nobody in, and finishes later', async (_at, breakIt) => {
    const user = await makeDue(await shop.subscriber('Basic'));
    const mend = await breakIt();
    await eraseDueAccounts().catch(() => undefined);
    expect(await accountExists(user.id)).toBe(true);
    expect(await lastMails(user.email)).toEqual([]);
    expect(await expectRejection(signInUser(user.id))).toMatchObject({
      code: 'invalid_credentials',
      message: 'This account is being deleted.',
    });
    await expect(enableAccount(user.email)).rejects.toMatchObject({ code: 'conflict' });
    // It ends the account's jobs.
    expect(await db().$count(outbox, eq(outbox.id, `closed-${user.id}`))).toBe(1);
    await mend();
    await eraseDueAccounts();
    await expectErased(user);
  });
});

it('waits until the last upload address has expired, and then deletes what arrived', async () => {
  const user = await makeDue(await makeUser());
  const logged = vi.spyOn(log, 'warn');
  for (const { id: userId } of [user, await makeUser()])
    await db()
      .insert(customers)
      .values({ userId, livemode: true, stripeId: `cus_out_of_reach_${userId}` });
  const expiresAt = new Date(Date.now() + 1_800_000);
  await db().update(entries).set({ uploadExpiresAt: expiresAt }).where(eq(entries.userId, user.id));
  // The address of an entry that was purged before.
  const purged = { name: 'entries/purged', data: { userId: user.id } } as const;
  const dueAt = new Date(Date.now() + 600_000);
  await db()
    .insert(outbox)
    .values({ id: `purged-again-${user.id}`, kind: 'event', payload: JSON.stringify(purged), dueAt });
  await eraseDueAccounts();
  expect(
    await db().select().from(accountDeletions).where(eq(accountDeletions.userId, user.id)),
  ).toMatchObject([{ uploadsExpireAt: expiresAt }]);
  expect(await objectsBelow(`entries/${user.id}/`)).toEqual([]);
  expect(await db().$count(entries, eq(entries.userId, user.id))).toBe(0);
  expect(await lastMails(user.email)).toEqual([]);
  expect(timesLogged(logged, 'deletion.customer_left')).toBe(0);
  await putObject(`entries/${user.id}/late/source`);
  const past = { uploadsExpireAt: sql`now() - interval '6 minutes'` };
  await db().update(accountDeletions).set(past).where(eq(accountDeletions.userId, user.id));
  await eraseDueAccounts();
  await expectErased(user);
  expect(timesLogged(logged, 'deletion.customer_left')).toBe(1);
});

it('says so once, however many processes erase the account at the same time', async () => {
  const user = await makeDue(await shop.subscriber('Standard'));
  const logged = vi.spyOn(log, 'info');
  await Promise.allSettled([eraseDueAccounts(), eraseDueAccounts(), eraseDueAccounts()]);
  await eraseDueAccounts();
  await expectErased(user);
  expect(timesLogged(logged, 'account.erased')).toBe(1);
});

it('can’t be canceled by a session that was there when it started', async () => {
  const { id } = await makeUser();
  const { user } = await signInUser(id);
  await makeDue(user);
  const repair = storage.refuse(/^GET /, 503);
  await eraseDueAccounts().catch(() => undefined);
  repair();
  expect((await expectRejection(cancelDeletion(user))).code).toBe('unauthenticated');
  await eraseDueAccounts();
  expect(await accountExists(id)).toBe(false);
});
