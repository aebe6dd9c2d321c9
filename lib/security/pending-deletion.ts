import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { accountDeletions } from '@/db/schema/deletions';
import { recordAuditEvent } from '@/lib/audit/service';
import { deletionCanceledMail } from '@/lib/mails/account-mails';
import { enqueueMail } from '@/lib/outbox/service';

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
