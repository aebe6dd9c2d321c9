import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { isUniqueViolation } from '@/db/errors';
import { users } from '@/db/schema/accounts';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { assertUncommonPassword } from '@/lib/account/passwords/common-passwords';
import { createLink, findEmailLink, invalidateLinks, redeemLink } from '@/lib/account/passwords/links';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { replaceSession } from '@/lib/account/sessions/create-session';
import { endAllSessions, type User } from '@/lib/account/sessions/service';
import type { SessionTokens } from '@/lib/account/sessions/tokens';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Client } from '@/lib/foundation/request-scope';
import { countAttempt } from '@/lib/limits/service';
import { addressTakenMail, emailChangeMail } from '@/lib/messaging/mails/account-mails';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import type { StepUpProof } from './contract';
import { changeAccount, changeAccountIn } from './notices';
import { assertStepUp } from './step-up';

/**
 * Sets a new password, ends every session of the account and starts a new one for this browser.
 * @throws AppError `validation_failed`, `rate_limited`, `conflict` when it was changed at the same time
 */
export async function changePassword(
  user: User,
  { newPassword, ...proof }: StepUpProof & { newPassword: string },
  client: Client,
): Promise<SessionTokens> {
  // First, so that a password that won't do doesn't use up a code.
  await assertUncommonPassword(newPassword, user.email, 'newPassword');
  const compared = await assertStepUp(user, proof, client);
  const passwordHash = await hashPassword(newPassword, client.address);
  const change = { notice: 'password-changed', event: 'password.changed' } as const;
  return changeAccount(user, change, async (tx) => {
    const changed = await tx
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, user.id), sql`${users.passwordHash} is not distinct from ${compared}`))
      .returning({ id: users.id });
    if (changed.length === 0) throw new AppError('conflict');
    // Links that somebody asked for earlier could still open the account, or move it to another address.
    await invalidateLinks(tx, user.id);
    await endAllSessions(tx, user.id);
    return replaceSession(tx, user, client);
  });
}

/**
 * Sends a link to the new address, which works in this session only; until it is used the account keeps the old one.
 * When the new address has an account already, its owner gets an email that says so instead, and the answer is the same.
 * @throws AppError `validation_failed`, `rate_limited`
 */
export async function requestEmailChange(
  user: User,
  { email, ...proof }: StepUpProof & { email: string },
  client: Client,
): Promise<void> {
  if (email === user.email) {
    const message = 'This is already your address.';
    throw new AppError('validation_failed', { message, fields: { email: message } });
  }
  await assertStepUp(user, proof, client);
  await countAttempt('resend', { subject: email, client: client.address });
  await db().transaction(async (tx) => {
    const token = await createLink(tx, user.id, 'email', { email, sessionId: user.sessionId });
    const [taken] = await tx.select().from(users).where(eq(users.email, email));
    const mails = [
      await emailChangeMail({ ...user, email }, token),
      await addressTakenMail({ ...user, ...taken, email }),
    ] as const;
    if (taken) await enqueueMail(tx, mails[1], 'address-taken');
    else await enqueueMail(tx, mails[0], 'email-change');
    await recordAuditEvent('email.change-requested', { userId: user.id, sessionId: user.sessionId }, tx);
  });
}

/** What the page of an emailed link can offer: to confirm the change, to reject it, or nothing. */
export type EmailChange = { state: 'here'; email: string } | { state: 'elsewhere' } | { state: 'invalid' };

/**
 * What the link of an address change is good for in this session. Changes nothing.
 * @param user whoever opens the link; null when they're signed out
 */
export async function findEmailChange(uid: string, token: string, user: User | null): Promise<EmailChange> {
  const link = await findEmailLink(uid, token);
  if (!link?.email) return { state: 'invalid' };
  return user && isRequester(link, user) ? { state: 'here', email: link.email } : { state: 'elsewhere' };
}

function isRequester(link: { userId: string; sessionId: string | null }, user: User): boolean {
  return link.userId === user.id && link.sessionId === user.sessionId;
}

/**
 * Makes the address that the link went to the account's own and tells the old one. The link shows that the address can
 * be read, and the session that its reader wants it on this account: a stranger's mailbox can't be added to an account
 * by a click of its owner.
 * @throws AppError `invalid_or_expired_link`, also in any session but the one that asked for the change (which leaves
 * the link as it was) and when another account has the address by now; `unauthenticated` when the session has ended
 */
export async function confirmEmailChange(user: User, uid: string, token: string): Promise<void> {
  const change = { notice: 'email-changed', event: 'email.changed' } as const;
  const changed = redeemLink(uid, token, 'email', async (tx, link) => {
    const { userId, email } = link;
    if (!isRequester(link, user)) {
      throw new AppError('invalid_or_expired_link', {
        message: 'Open this link in the browser where you asked for the change.',
      });
    }
    if (!email) throw new AppError('invalid_or_expired_link');
    await changeAccountIn(tx, user, change, async () => {
      await tx.update(users).set({ email, verifiedAt: sql`now()` }).where(eq(users.id, userId));
      // Links that went to the old address must not open the account any longer.
      await invalidateLinks(tx, userId);
    });
  });
  await changed.catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('invalid_or_expired_link') : error;
  });
}

/**
 * Voids the link of an address change that its recipient didn't ask for. Whoever has the link may do so. The account
 * that asked isn't told, because that would show a stranger that the mailbox is read; nor is any other account touched.
 * @throws AppError `invalid_or_expired_link`
 */
export async function rejectEmailChange(uid: string, token: string): Promise<void> {
  await redeemLink(uid, token, 'email', (tx) => recordAuditEvent('email.change-rejected', {}, tx));
}
