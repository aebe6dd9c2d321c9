import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { accountDeletions } from '@/db/schema/deletions';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { deletionCanceledMail, deletionRequestedMail } from '@/lib/messaging/mails/account-mails';
import { enqueueMail } from '@/lib/messaging/outbox/service';

const WAIT_DAYS = 7;
/** When an account may be erased whose deletion is requested now. */
export const WAIT_ENDS_AT = sql`now() + ${WAIT_DAYS} * interval '1 day'`;

interface Owner {
  id: string;
  email: string;
  firstName?: string;
  sessionId?: string;
}

/**
 * Cancels an account's deletion and emails its owner. The caller holds the account's lock.
 * @param by what cancels it: the owner's choice, or the undoing of a change
 * @returns false if none was requested, or erasure has started
 */
export async function cancelPendingDeletion(
  tx: Transaction,
  owner: Owner,
  by: 'owner' | 'undo',
): Promise<boolean> {
  const canceled = await tx
    .delete(accountDeletions)
    .where(and(eq(accountDeletions.userId, owner.id), isNull(accountDeletions.startedAt)))
    .returning({ userId: accountDeletions.userId });
  if (canceled.length === 0) return false;
  await enqueueMail(tx, await deletionCanceledMail(owner, by));
  await recordAuditEvent('deletion.canceled', { userId: owner.id, sessionId: owner.sessionId }, tx);
  return true;
}

/**
 * Gives an account that was turned off the whole wait again, if its deletion was requested before: its owner couldn't sign
 * in to keep it. Emails them the new day. The caller holds the account's lock, and erasure hasn't started.
 */
export async function restartWait(tx: Transaction, owner: Owner & { firstName: string }): Promise<void> {
  const [moved] = await tx
    .update(accountDeletions)
    .set({ erasesAt: WAIT_ENDS_AT })
    .where(and(eq(accountDeletions.userId, owner.id), lt(accountDeletions.erasesAt, WAIT_ENDS_AT)))
    .returning();
  if (moved) await enqueueMail(tx, await deletionRequestedMail(owner, moved.erasesAt));
}
