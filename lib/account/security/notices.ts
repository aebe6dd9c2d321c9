import { and, eq, lt, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { db, type Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { securityNotices } from '@/db/schema/security';
import { hashToken, newToken } from '@/lib/account/sessions/tokens';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import type { NoticeKind } from './contract';
import { type Change, changeMail, deviceMail } from './mails';
import type { AccountSnapshot, Snapshot } from './snapshot';

/** How long the link in a notice works. */
const LIFETIME_HOURS = 72;

/** What undoing a new sign-in signs out. */
export interface Device {
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

/** Returns the account that a link names, or null when it can't be one. */
export function ownerOfLink(uidb64: string): string | null {
  const userId = Buffer.from(uidb64, 'base64url').toString();
  return isUuid(userId) ? userId : null;
}

/** Returns what a link would undo, without using it up; null when it's unknown, used or too old. */
export async function findNotice(uidb64: string, token: string): Promise<NoticeKind | null> {
  const userId = ownerOfLink(uidb64);
  if (!userId) return null;
  const [notice] = await db()
    .select({ kind: sql<NoticeKind>`${securityNotices.kind}` })
    .from(securityNotices)
    .where(
      and(
        eq(securityNotices.hash, hashToken(token)),
        eq(securityNotices.userId, userId),
        sql`${securityNotices.expiresAt} > now()`,
      ),
    );
  return notice?.kind ?? null;
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
