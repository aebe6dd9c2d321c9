import { and, eq, gt, lt, or, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { isUniqueViolation } from '@/db/errors';
import { sessions, users } from '@/db/schema/accounts';
import { securityNotices } from '@/db/schema/security';
import type { EventKind } from '@/lib/account/activity/event-kinds';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { cancelPendingDeletion } from '@/lib/account/deletion/pending-deletion';
import { invalidateLinks, userIdOfLink } from '@/lib/account/passwords/links';
import { lockAccount, lockAccountForSession } from '@/lib/account/passwords/locks';
import { deleteDevices } from '@/lib/account/sessions/devices';
import { endAllSessions, endSessions } from '@/lib/account/sessions/service';
import { hashToken, newToken } from '@/lib/account/sessions/tokens';
import { AppError } from '@/lib/foundation/contract/errors';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import { type Change, changeMail, deviceMail, type NoticeKind } from './mails';
import { type AccountSnapshot, restoreSnapshot, type Snapshot, snapshotAccount } from './snapshot';

/** How long the link in a notice works. */
const LIFETIME_HOURS = 72;

/** What undoing a new sign-in signs out. */
interface Device {
  sessionId: string;
  deviceHash: string;
}

/** Keeps what the link needs, and returns the link's token. */
async function saveNotice(
  tx: Transaction,
  userId: string,
  kind: NoticeKind,
  payload: Device | Snapshot,
): Promise<string> {
  const { token, hash } = newToken();
  await tx.insert(securityNotices).values({
    userId,
    hash,
    kind,
    payload: sql`${JSON.stringify(payload)}::text::jsonb`,
    expiresAt: sql`now() + ${LIFETIME_HOURS} * interval '1 hour'`,
  });
  return token;
}

/**
 * Tells the owner of a change, at the address from before it, with a link that undoes it.
 * @param before as `snapshotAccount` has read it in this transaction
 * @param by who made the change
 */
export async function sendChangeNotice(
  tx: Transaction,
  before: AccountSnapshot,
  kind: Change,
  by: 'owner' | 'operator' = 'owner',
): Promise<void> {
  const token = await saveNotice(tx, before.userId, kind, before.snapshot);
  await enqueueMail(tx, await changeMail(before.email, kind, { userId: before.userId, token }, by));
}

/** An account, with the session that asked for a change to it, if it was one. */
interface ChangedAccount {
  id: string;
  sessionId?: string;
}

export interface AccountChange {
  notice: Change;
  event: EventKind;
  /** The provider that it's about. */
  detail?: string;
  by?: 'owner' | 'operator';
}

/** Changes how an account can be signed in to, in a transaction of its own. See {@link changeAccountIn}. */
export const changeAccount = <T>(
  owner: ChangedAccount,
  what: AccountChange,
  change: (tx: Transaction) => Promise<T>,
): Promise<T> => db().transaction((tx) => changeAccountIn(tx, owner, what, () => change(tx)));

/**
 * Changes how an account can be signed in to, records that, and tells its owner by email, with a link that undoes it. Call
 * it first in the transaction.
 * @param change returns null if there was nothing to change: then nobody is told
 * @throws AppError `unauthenticated` when the session has ended
 */
export async function changeAccountIn<T>(
  tx: Transaction,
  { id, sessionId }: ChangedAccount,
  { notice, event, detail, by }: AccountChange,
  change: () => Promise<T>,
): Promise<T> {
  if (sessionId !== undefined) await lockAccountForSession(tx, { id, sessionId });
  const before = await snapshotAccount(tx, id);
  const result = await change();
  if (result === null) return result;
  await sendChangeNotice(tx, before, notice, by);
  await recordAuditEvent(event, { userId: id, sessionId, detail }, tx);
  return result;
}

/**
 * Tells the owner of a sign-in from a new device, with a link that signs it out.
 * @param name of the device in words, for instance 'Firefox on Linux'
 */
export async function sendDeviceNotice(
  tx: Transaction,
  userId: string,
  device: Device,
  name: string,
): Promise<void> {
  const [owner] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!owner) throw new Error('the account is gone');
  const token = await saveNotice(tx, userId, 'device', device);
  await enqueueMail(tx, await deviceMail(owner.email, name, { userId, token }));
}

/** Matches the notice of a link that still works. */
const isLiveNotice = (userId: string, token: string) =>
  and(
    eq(securityNotices.hash, hashToken(token)),
    eq(securityNotices.userId, userId),
    sql`${securityNotices.expiresAt} > now()`,
  );

/** Returns what a link would undo, without using it up; null when it's unknown, used or too old. */
export async function findNotice(uidb64: string, token: string): Promise<NoticeKind | null> {
  const userId = userIdOfLink(uidb64);
  if (!userId) return null;
  const [notice] = await db()
    .select({ kind: sql<NoticeKind>`${securityNotices.kind}` })
    .from(securityNotices)
    .where(isLiveNotice(userId, token));
  return notice?.kind ?? null;
}

/** Ends every session of the device: a password changed there has replaced the one that the notice was about. */
async function signOutDevice(tx: Transaction, userId: string, device: Device): Promise<void> {
  const ofDevice = or(eq(sessions.id, device.sessionId), eq(sessions.deviceHash, device.deviceHash));
  await endSessions(tx, eq(sessions.userId, userId), ofDevice);
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
  const userId = userIdOfLink(uidb64);
  if (!userId) throw new AppError('invalid_or_expired_link');
  const undone = db().transaction(async (tx) => {
    await lockAccount(tx, userId);
    // Whoever deletes the row first has used the link.
    const [notice] = await tx.delete(securityNotices).where(isLiveNotice(userId, token)).returning();
    if (!notice) throw new AppError('invalid_or_expired_link');
    if (notice.kind === 'device') await signOutDevice(tx, userId, notice.payload as Device);
    else await undoChange(tx, userId, notice.id, notice.payload as Snapshot);
    await recordAuditEvent('notice.used', { userId, detail: notice.kind }, tx);
  });
  await undone.catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('invalid_or_expired_link') : error;
  });
}

/** Keeps a recovery code that was just used from coming back when a change is undone. */
export async function removeRecoveryCodeFromNotices(
  tx: Transaction,
  userId: string,
  hash: string,
): Promise<void> {
  const codes = sql`${securityNotices.payload} -> 'recovery_codes'`;
  await tx
    .update(securityNotices)
    .set({
      payload: sql`jsonb_set(${securityNotices.payload}, '{recovery_codes}', (${codes}) - ${hash}::text)`,
    })
    .where(and(eq(securityNotices.userId, userId), sql`${codes} ? ${hash}::text`));
}

/** Removes notices whose link no longer works, with all they kept. */
export async function deleteOldNotices(): Promise<void> {
  await db().delete(securityNotices).where(lt(securityNotices.expiresAt, sql`now()`));
}
