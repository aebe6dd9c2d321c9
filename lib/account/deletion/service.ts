import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { lockAccountForSession } from '@/lib/account/passwords/locks';
import type { StepUpProof } from '@/lib/account/security/contract';
import { assertStepUp } from '@/lib/account/security/step-up';
import { endAllSessions, type User } from '@/lib/account/sessions/service';
import { getBillingStatus } from '@/lib/billing/subscriptions/service';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Client } from '@/lib/foundation/request-scope';
import { deletionRequestedMail } from '@/lib/messaging/mails/account-mails';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import { countContents } from './contents';
import { cancelPendingDeletion, WAIT_ENDS_AT } from './pending-deletion';

const present = ({ requestedAt, erasesAt }: typeof accountDeletions.$inferSelect) => ({
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
      .values({ userId: user.id, erasesAt: WAIT_ENDS_AT })
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

/** Lets a session go on until the deletion. Its pages don't ask again. */
export async function acknowledgeDeletion({ id, sessionId }: User): Promise<void> {
  await db()
    .update(sessions)
    .set({ deletionSeenAt: sql`now()` })
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, id)));
}
