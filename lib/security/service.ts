import { and, eq, inArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { isUniqueViolation } from '@/db/errors';
import { mailLinks, users } from '@/db/schema/accounts';
import { assertUncommon } from '@/lib/accounts/common-passwords';
import { createLink, redeemLink } from '@/lib/accounts/links';
import { addressTakenMail, emailChangeMail } from '@/lib/accounts/mails';
import { hashPassword } from '@/lib/accounts/passwords';
import { note } from '@/lib/audit/service';
import type { Client } from '@/lib/http/client-address';
import { AppError } from '@/lib/http/errors';
import { countTry } from '@/lib/limits/service';
import { enqueueMail } from '@/lib/outbox/service';
import { endAllSessions, type SessionTokens, type User } from '@/lib/sessions/service';
import { replaceSession } from '@/lib/sessions/start';
import type { Proof } from './contract';
import { sendChangeNotice } from './notices';
import { assertOwner } from './ownership';
import { stateBefore } from './snapshot';

/**
 * Sets a new password, ends every session of the account and starts a new one for this browser.
 * @throws AppError `validation_failed`, `rate_limited`, `conflict` when it was changed at the same time
 */
export async function changePassword(
  user: User,
  { newPassword, ...proof }: Proof & { newPassword: string },
  client: Client,
): Promise<SessionTokens> {
  // First, so that a password that won't do doesn't use up a code.
  await assertUncommon(newPassword, user.email, 'newPassword');
  const compared = await assertOwner(user, proof, client);
  const passwordHash = await hashPassword(newPassword);
  return db().transaction(async (tx) => {
    const before = await stateBefore(tx, user.id);
    const changed = await tx
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, user.id), sql`${users.passwordHash} is not distinct from ${compared}`))
      .returning({ id: users.id });
    if (changed.length === 0) throw new AppError('conflict');
    // A link to set a password that somebody asked for earlier is void too.
    await tx.delete(mailLinks).where(and(eq(mailLinks.userId, user.id), eq(mailLinks.purpose, 'reset')));
    await endAllSessions(tx, user.id);
    await sendChangeNotice(tx, before, 'password-changed');
    await note('password.changed', { userId: user.id, sessionId: user.sessionId }, tx);
    return replaceSession(tx, user, client);
  });
}

/**
 * Sends a link to the new address; until it is used the account keeps the old one. When the new address has an
 * account already, its owner gets a mail that says so instead, and the answer is the same.
 * @throws AppError `validation_failed`, `rate_limited`
 */
export async function requestEmailChange(
  user: User,
  { email, ...proof }: Proof & { email: string },
  client: Client,
): Promise<void> {
  if (email === user.email) {
    const message = 'This is your address already.';
    throw new AppError('validation_failed', { message, fields: { email: message } });
  }
  await assertOwner(user, proof, client);
  await countTry('resend', { subject: email, client: client.address });
  await db().transaction(async (tx) => {
    const token = await createLink(tx, user.id, 'email', email);
    const [taken] = await tx.select().from(users).where(eq(users.email, email));
    const mails = [
      await emailChangeMail({ ...user, email }, token),
      await addressTakenMail({ ...user, ...taken, email }),
    ] as const;
    await enqueueMail(tx, taken ? mails[1] : mails[0]);
    await note('email.change-requested', { userId: user.id, sessionId: user.sessionId }, tx);
  });
}

/**
 * Makes the address that the link went to the account's own and tells the old one.
 * @throws AppError `invalid_or_expired_link`, also when another account has the address by now
 */
export async function confirmEmailChange(uid: string, token: string): Promise<void> {
  const change = redeemLink(uid, token, 'email', async (tx, { userId, email }) => {
    if (!email) throw new AppError('invalid_or_expired_link');
    const before = await stateBefore(tx, userId);
    await tx
      .update(users)
      .set({ email, verifiedAt: sql`coalesce(${users.verifiedAt}, now())` })
      .where(eq(users.id, userId));
    // Links that went to the old address must not open the account any longer.
    await tx
      .delete(mailLinks)
      .where(and(eq(mailLinks.userId, userId), inArray(mailLinks.purpose, ['verify', 'reset'])));
    await sendChangeNotice(tx, before, 'email-changed');
    await note('email.changed', { userId }, tx);
  });
  await change.catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('invalid_or_expired_link') : error;
  });
}
