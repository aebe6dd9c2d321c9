import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { isUniqueViolation } from '@/db/errors';
import { sessions } from '@/db/schema/accounts';
import { securityNotices } from '@/db/schema/security';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { invalidateLinks } from '@/lib/account/passwords/links';
import { lockAccount } from '@/lib/account/passwords/locks';
import { deleteDevices } from '@/lib/account/sessions/devices';
import { endAllSessions } from '@/lib/account/sessions/service';
import { hashToken } from '@/lib/account/sessions/tokens';
import { AppError } from '@/lib/foundation/contract/errors';
import { type Device, ownerOfLink } from './notices';
import { cancelPendingDeletion } from './pending-deletion';
import { restoreSnapshot, type Snapshot } from './snapshot';

/** Ends every session of the device: a password changed there has replaced the one that the notice was about. */
async function signOutDevice(tx: Transaction, userId: string, device: Device): Promise<void> {
  await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.revokedAt),
        or(eq(sessions.id, device.sessionId), eq(sessions.deviceHash, device.deviceHash)),
      ),
    );
  await deleteDevices(tx, userId, device.deviceHash);
}

/**
 * Takes the account back to before the change, whatever has changed since: a later change and its notice may be the
 * work of whoever made this one, so their links stop working, while older ones still do. So may be a request to delete
 * the account: the address from before the change hears that it's canceled.
 */
async function undoChange(tx: Transaction, userId: string, id: number, snapshot: Snapshot): Promise<void> {
  await restoreSnapshot(tx, userId, snapshot);
  await cancelPendingDeletion(tx, { id: userId, email: snapshot.email }, 'undo');
  await tx.delete(securityNotices).where(and(eq(securityNotices.userId, userId), gt(securityNotices.id, id)));
  await invalidateLinks(tx, userId);
  await deleteDevices(tx, userId);
  await endAllSessions(tx, userId);
}

/**
 * Uses the link of a security notice: signs a new device out, or undoes a change and signs out every session.
 * @throws AppError `invalid_or_expired_link`, also when another account has the former address by now
 */
export async function undoNotice(uidb64: string, token: string): Promise<void> {
  const userId = ownerOfLink(uidb64);
  if (!userId) throw new AppError('invalid_or_expired_link');
  const undone = db().transaction(async (tx) => {
    await lockAccount(tx, userId);
    // Whoever deletes the row first has used the link.
    const [notice] = await tx
      .delete(securityNotices)
      .where(
        and(
          eq(securityNotices.hash, hashToken(token)),
          eq(securityNotices.userId, userId),
          sql`${securityNotices.expiresAt} > now()`,
        ),
      )
      .returning();
    if (!notice) throw new AppError('invalid_or_expired_link');
    if (notice.kind === 'device') await signOutDevice(tx, userId, notice.payload as Device);
    else await undoChange(tx, userId, notice.id, notice.payload as Snapshot);
    await recordAuditEvent('notice.used', { userId, detail: notice.kind }, tx);
  });
  await undone.catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('invalid_or_expired_link') : error;
  });
}
