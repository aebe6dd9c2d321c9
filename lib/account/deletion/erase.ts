import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { db, type Transaction } from '@/db/client';
import { isDatabaseUnreachable } from '@/db/errors';
import { invitations, users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { entries } from '@/db/schema/entries';
import { exports } from '@/db/schema/exports';
import { outbox } from '@/db/schema/outbox';
import { lockAccount } from '@/lib/account/passwords/locks';
import { endAllSessions } from '@/lib/account/sessions/service';
import { countBilling, eraseBilling, warnOfLeftCustomers } from '@/lib/billing/subscriptions/erase';
import { abortMultiparts } from '@/lib/clients/multipart';
import { attemptAll } from '@/lib/foundation/attempt-all';
import { log } from '@/lib/foundation/log';
import { changeLocked } from '@/lib/journal/entries/change-entries';
import { entryKey } from '@/lib/journal/entries/keys';
import { deleteRateLimitsOf } from '@/lib/limits/service';
import { deleteExports } from '@/lib/messaging/outbox/export-jobs';
import { deleteAccountMessages, enqueueEvent, enqueueMail } from '@/lib/messaging/outbox/service';
import { countContents } from './contents';
import { erasedMail, newReceipt } from './receipt';
import { deleteAccountObjects, measureAccountObjects } from './storage';

type Deletion = typeof accountDeletions.$inferSelect;

/** Lets uploads that began just before their address expired finish. */
const EXPIRY_GRACE_MS = 5 * 60_000;
/** By then no request and no job can still be writing. */
const FINAL_DELETION_MS = 24 * 3600_000;
/** How many entries one transaction deletes: less than a second of 1,500 words each. */
const BATCH = 100;

const ofAccount = (userId: string) => eq(accountDeletions.userId, userId);

/** Returns when the last presigned upload address expires, also of entries that were purged within the last hour. */
function lastUploadExpiry(userId: string) {
  return sql<Date | null>`greatest(
    (select max(${entries.uploadExpiresAt}) from ${entries} where ${entries.userId} = ${userId}),
    (select max(${outbox.dueAt}) from ${outbox}
      where ${outbox.id} like 'purged-again-%' and ${outbox.payload} like ${`%${userId}%`}))`;
}

/**
 * Closes an account whose wait is over: from here on, nobody can sign in to it or keep it, and its jobs stop. Saves what
 * the receipt will say. An account that the operator turned off waits: its owner can't sign in to keep it.
 * @returns undefined if it waits, its owner has kept it, or the erasure is done
 */
async function closeAccount(userId: string): Promise<Deletion | undefined> {
  return db().transaction(async (tx) => {
    // Whoever is signing in to keep it right now comes first, or not at all.
    const owner = await lockAccount(tx, userId);
    const [due] = await tx
      .select()
      .from(accountDeletions)
      .where(and(ofAccount(userId), lte(accountDeletions.erasesAt, sql`now()`)));
    if (!due || due.startedAt) return due;
    if (owner?.disabledAt) return undefined;
    const counts = {
      ...(await countContents(tx, userId)),
      ...(await countBilling(tx, userId)),
    };
    const [closed] = await tx
      .update(accountDeletions)
      .set({ startedAt: sql`now()`, counts, uploadsExpireAt: lastUploadExpiry(userId) })
      .where(ofAccount(userId))
      .returning();
    await tx.update(users).set({ disabledAt: sql`now()` }).where(eq(users.id, userId));
    await endAllSessions(tx, userId);
    await deleteExports(tx, eq(exports.userId, userId));
    await enqueueEvent(tx, `closed-${userId}`, { name: 'account/closed', data: { userId } });
    return closed;
  });
}

/** Counts what storage has of an account, once and before any of it is deleted. */
async function countObjects(userId: string): Promise<void> {
  const measured = await measureAccountObjects(userId);
  await db()
    .update(accountDeletions)
    .set(measured)
    .where(and(ofAccount(userId), isNull(accountDeletions.objects)));
}

/** Deletes entries, and updates the search index once. Another process may have deleted them first. */
async function deleteBatch(tx: Transaction, userId: string, batch: readonly { id: string }[]): Promise<void> {
  const batchIds = batch.map(({ id }) => id);
  const locked = await tx
    .select({ id: entries.id })
    .from(entries)
    .where(anyOf(entries.id, batchIds))
    .orderBy(asc(entries.id))
    .for('update');
  const ids = locked.map(({ id }) => id);
  await changeLocked(tx, userId, ids, () => tx.delete(entries).where(anyOf(entries.id, ids)));
}

/** Deletes an account's entries in batches, and aborts their unfinished uploads: some servers list those by exact key only. */
async function deleteEntries(userId: string): Promise<void> {
  for (;;) {
    const batch = await db()
      .select({ id: entries.id, videoStatus: entries.videoStatus })
      .from(entries)
      .where(eq(entries.userId, userId))
      .limit(BATCH);
    if (batch.length === 0) return;
    for (const { id, videoStatus } of batch) {
      if (videoStatus === 'uploading') await abortMultiparts(entryKey(userId, id, 'source'));
    }
    await db().transaction((tx) => deleteBatch(tx, userId, batch));
  }
}

/**
 * Deletes the account's row and with it all others, then says so: in one transaction, so that the email with the receipt
 * goes out once, and only if everything is gone.
 * @returns false if another process was first
 */
async function finishErasure(tx: Transaction, userId: string): Promise<boolean> {
  const owner = await lockAccount(tx, userId);
  const [deletion] = await tx.select().from(accountDeletions).where(ofAccount(userId));
  if (!owner || !deletion?.startedAt) return false;
  await deleteAccountMessages(tx, owner);
  for (const subject of [owner.id, owner.email]) await deleteRateLimitsOf(tx, subject);
  await tx.delete(invitations).where(eq(invitations.email, owner.email));
  await tx.delete(users).where(eq(users.id, userId));
  await enqueueMail(tx, await erasedMail(owner.email, newReceipt(deletion)));
  const event = { name: 'account/erased', data: { userId } } as const;
  await enqueueEvent(tx, `erased-${userId}`, event);
  const dueAt = new Date(Date.now() + FINAL_DELETION_MS);
  await enqueueEvent(tx, `erased-at-last-${userId}`, event, { dueAt });
  return true;
}

/** Erases one account, or as much of it as can be erased now. Can be interrupted and repeated at any point. */
async function eraseAccount(userId: string): Promise<void> {
  const deletion = await closeAccount(userId);
  if (!deletion) return;
  if (deletion.objects === null) await countObjects(userId);
  await eraseBilling(userId);
  await deleteEntries(userId);
  await deleteAccountObjects(userId);
  const { uploadsExpireAt } = deletion;
  // Until then, more may arrive in storage. A later run deletes that, and finishes.
  if (uploadsExpireAt && uploadsExpireAt.getTime() + EXPIRY_GRACE_MS > Date.now()) return;
  await warnOfLeftCustomers(userId);
  const isErased = await db().transaction((tx) => finishErasure(tx, userId));
  if (isErased) log.info({ event: 'account.erased', userId }, 'an account was erased');
}

/**
 * Erases the accounts whose seven days are over.
 * @throws Error after trying all of them, if any couldn't be erased yet
 */
export async function eraseDueAccounts(): Promise<void> {
  const due = await db()
    .select({ userId: accountDeletions.userId })
    .from(accountDeletions)
    .where(lte(accountDeletions.erasesAt, sql`now()`))
    .orderBy(asc(accountDeletions.erasesAt));
  await attemptAll('accounts: erasure', due, ({ userId }) => eraseAccount(userId), {
    name: ({ userId }) => userId,
    shouldContinue: (error) => !isDatabaseUnreachable(error),
  });
}
