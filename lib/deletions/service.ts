import { and, eq, lt, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { sessions } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { recordAuditEvent } from '@/lib/audit/service';
import { getBillingStatus } from '@/lib/billing/service';
import { AppError } from '@/lib/contract/errors';
import { lockAccountForSession } from '@/lib/credentials/locks';
import { enqueueMail } from '@/lib/outbox/service';
import type { Client } from '@/lib/request-scope';
import { cancelPendingDeletion } from '@/lib/security/cancel-deletion';
import type { StepUpProof } from '@/lib/security/contract';
import { assertStepUp } from '@/lib/security/step-up';
import { endAllSessions, type User } from '@/lib/sessions/service';
import { countContents } from './contents';
import { deletionRequestedMail, type Recipient } from './mails';

const WAIT_DAYS = 7;
const waitEndsAt = sql`now() + ${WAIT_DAYS} * interval '1 day'`;

interface Deletion {
  requestedAt: Date;
  erasesAt: Date;
}

const present = ({ requestedAt, erasesAt }: Deletion) => ({
  requestedAt: requestedAt.toISOString(),
  erasesAt: erasesAt.toISOString(),
});

/** Returns what deleting an account deletes and ends, and when that happens if its owner asked for it. */
export async function describeDeletion(userId: string) {
  const [contents, { subscribedTo }, [deletion]] = await Promise.all([
    countContents(db(), userId),
    getBillingStatus(userId),
    db().select().from(accountDeletions).where(eq(accountDeletions.userId, userId)),
  ]);
  return { deletion: deletion ? present(deletion) : null, contents, subscription: subscribedTo };
}

/**
 * Requests the account's deletion in seven days. Ends every session, this one included.
 * @throws AppError `validation_failed`, `rate_limited`, `conflict` when it was requested before
 */
export async function requestDeletion(user: User, proof: StepUpProof, client: Client) {
  await assertStepUp(user, proof, client);
  return db().transaction(async (tx) => {
    await lockAccountForSession(tx, user);
    const [requested] = await tx
      .insert(accountDeletions)
      .values({ userId: user.id, erasesAt: waitEndsAt })
      .onConflictDoNothing()
      .returning();
    if (!requested) {
      throw new AppError('conflict', { message: 'Your account is already going to be deleted.' });
    }
    await endAllSessions(tx, user.id);
    await enqueueMail(tx, await deletionRequestedMail(user, requested.erasesAt));
    await recordAuditEvent('deletion.requested', { userId: user.id, sessionId: user.sessionId }, tx);
    return present(requested);
  });
}

/**
 * Cancels the account's deletion.
 * @throws AppError `conflict` when none was requested, or erasure has started
 */
export async function cancelDeletion(user: User): Promise<void> {
  await db().transaction(async (tx) => {
    await lockAccountForSession(tx, user);
    if (!(await cancelPendingDeletion(tx, user, 'owner'))) {
      throw new AppError('conflict', { message: 'Your account isn’t going to be deleted.' });
    }
  });
}

/**
 * Gives an account that was turned off the whole wait again, if its deletion was requested before: its owner couldn't sign
 * in to keep it. Emails them the new day. The caller holds the account's lock, and erasure hasn't started.
 */
export async function restartWait(tx: Transaction, owner: Recipient & { id: string }): Promise<void> {
  const [moved] = await tx
    .update(accountDeletions)
    .set({ erasesAt: waitEndsAt })
    .where(and(eq(accountDeletions.userId, owner.id), lt(accountDeletions.erasesAt, waitEndsAt)))
    .returning();
  if (moved) await enqueueMail(tx, await deletionRequestedMail(owner, moved.erasesAt));
}

/** Lets a session go on until the deletion. Its pages don't ask again. */
export async function acknowledgeDeletion({ id, sessionId }: User): Promise<void> {
  await db()
    .update(sessions)
    .set({ deletionSeenAt: sql`now()` })
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, id)));
}
