import { and, eq, inArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { isUniqueViolation } from '@/db/errors';
import { mailLinks, users } from '@/db/schema/accounts';
import { assertUncommon } from '@/lib/accounts/common-passwords';
import { createLink, redeemLink } from '@/lib/accounts/links';
import {
  addressTakenMail,
  emailChangedMail,
  emailChangeMail,
  passwordChangedMail,
} from '@/lib/accounts/mails';
import { hashPassword } from '@/lib/accounts/passwords';
import { note } from '@/lib/audit/service';
import type { Client } from '@/lib/http/client-address';
import { AppError } from '@/lib/http/errors';
import { countTry } from '@/lib/limits/service';
import { enqueueMail } from '@/lib/outbox/service';
import { createSession, endAllSessions, type SessionTokens, type User } from '@/lib/sessions/service';
import { assertOwner, assertPassword } from './ownership';

/**
 * Sets a new password, ends every session of the account and starts a new one for this browser.
 * @throws AppError `validation_failed`, `rate_limited`, `conflict` when it was changed at the same time
 */
export async function changePassword(
  user: User,
  input: { currentPassword: string; newPassword: string },
  client: Client,
): Promise<SessionTokens> {
  const compared = await assertPassword(user, input.currentPassword, client);
  await assertUncommon(input.newPassword, user.email, 'newPassword');
  const passwordHash = await hashPassword(input.newPassword, client.address);
  return db().transaction(async (tx) => {
    const changed = await tx
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, user.id), eq(users.passwordHash, compared)))
      .returning({ id: users.id });
    if (changed.length === 0) throw new AppError('conflict');
    // A link to set a password that somebody asked for earlier is void too.
    await tx.delete(mailLinks).where(and(eq(mailLinks.userId, user.id), eq(mailLinks.purpose, 'reset')));
    await endAllSessions(tx, user.id);
    await enqueueMail(tx, await passwordChangedMail(user));
    await note('password.changed', { userId: user.id, sessionId: user.sessionId }, tx);
    return createSession(tx, user, client.userAgent);
  });
}

/**
 * Sends a link to the new address; until it is used the account keeps the old one. When the new address has an
 * account already, its owner gets a mail that says so instead, and the answer is the same.
 * @throws AppError `validation_failed`, `rate_limited`
 */
export async function requestEmailChange(
  user: User,
  input: { email: string; currentPassword?: string | undefined },
  client: Client,
): Promise<void> {
  await assertOwner(user, input.currentPassword, client);
  if (input.email === user.email) {
    const message = 'This is your address already.';
    throw new AppError('validation_failed', { message, fields: { email: message } });
  }
  await countTry('resend', { subject: input.email, client: client.address });
  await db().transaction(async (tx) => {
    const token = await createLink(tx, user.id, 'email', input.email);
    const [taken] = await tx.select().from(users).where(eq(users.email, input.email));
    const mails = [
      await emailChangeMail({ ...user, email: input.email }, token),
      await addressTakenMail({ ...user, ...taken, email: input.email }),
    ] as const;
    if (taken) await enqueueMail(tx, mails[1], 'address-taken');
    else await enqueueMail(tx, mails[0], 'email-change');
    await note('email.change-requested', { userId: user.id, sessionId: user.sessionId }, tx);
  });
}

/**
 * Makes the address that the link went to the account's own and tells the old one.
 * @throws AppError `invalid_or_expired_link`, also when another account has the address by now
 */
export async function confirmEmailChange(uid: string, token: string): Promise<void> {
  const change = redeemLink(uid, token, 'email', async (tx, { userId, email }) => {
    const [before] = await tx.select().from(users).where(eq(users.id, userId));
    if (!before || !email) throw new AppError('invalid_or_expired_link');
    await tx
      .update(users)
      .set({ email, verifiedAt: sql`coalesce(${users.verifiedAt}, now())` })
      .where(eq(users.id, userId));
    // Links that went to the old address must not open the account any longer.
    await tx
      .delete(mailLinks)
      .where(and(eq(mailLinks.userId, userId), inArray(mailLinks.purpose, ['verify', 'reset'])));
    await enqueueMail(tx, await emailChangedMail(before));
    await note('email.changed', { userId }, tx);
  });
  await change.catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('invalid_or_expired_link') : error;
  });
}
