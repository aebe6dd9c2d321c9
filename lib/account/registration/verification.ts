import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { twoFactor } from '@/db/schema/security';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { createLink, redeemLink, secondsSinceLink } from '@/lib/account/passwords/links';
import { lockAccount } from '@/lib/account/passwords/locks';
import { createSession } from '@/lib/account/sessions/create-session';
import type { User } from '@/lib/account/sessions/service';
import type { SessionTokens } from '@/lib/account/sessions/tokens';
import { AppError } from '@/lib/foundation/contract/errors';
import type { AccountStatus } from '@/lib/foundation/contract/fields';
import { log } from '@/lib/foundation/log';
import type { Client } from '@/lib/foundation/request-scope';
import { countAttempt } from '@/lib/limits/service';
import { verificationMail } from '@/lib/messaging/mails/account-mails';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import { RESEND_SECONDS } from './shared/resend-cooldown';

/** What a browser remembers about its sign-up. It's the same whether or not the address had an account. */
export const registration = z.object({
  email: z.string(),
  /** The ids that signing up with this address has made, oldest first. A taken address's id is no account's. */
  accountIds: z.array(z.string()),
  /** When this browser last asked for an email, in milliseconds since 1970. */
  askedAt: z.number(),
  /** Where to go after verifying. It comes from the browser, so `safeNextPath` has to check it. */
  next: z.string().optional(),
});

export type Registration = z.output<typeof registration>;

/** The browser that opens a verification link. */
export interface VerifyingBrowser {
  /** What it signed up for, from its cookie. */
  registration: Registration | null;
  /** Who's signed in there. Their session stays. */
  user: Pick<User, 'id' | 'verified'> | null;
  client: Client;
}

/**
 * Marks an account as verified, if it isn't yet.
 * @returns whether the account may be signed in by this link: it's verified just now, in the browser that signed up for
 * it, and has no second factor
 */
async function markVerified(
  tx: Transaction,
  userId: string,
  registration: Registration | null,
): Promise<boolean> {
  const secondFactor = tx
    .select({ one: sql`1` })
    .from(twoFactor)
    .where(and(eq(twoFactor.userId, userId), isNotNull(twoFactor.confirmedAt)));
  const [verified] = await tx
    .update(users)
    .set({ verifiedAt: sql`now()` })
    .where(and(eq(users.id, userId), isNull(users.verifiedAt)))
    .returning({ email: users.email, hasSecondFactor: sql<boolean>`exists ${secondFactor}` });
  if (!verified || verified.hasSecondFactor || !registration) return false;
  // The address alone isn't enough: a stranger may have signed up with it first, and would know the password.
  return registration.email === verified.email && registration.accountIds.includes(userId);
}

/**
 * Verifies an address with its emailed link. In the browser that signed up, this starts a session too, unless another
 * verified account is signed in there. If that fails, the address is verified all the same.
 * @param browser left out, nothing but the address is verified
 * @returns the new session's tokens, or null
 * @throws AppError `invalid_or_expired_link`
 */
export async function verifyEmail(
  uid: string,
  token: string,
  browser?: VerifyingBrowser,
): Promise<{ accountStatus: AccountStatus; tokens: SessionTokens | null }> {
  const tokens = await redeemLink(uid, token, 'verify', async (tx, { userId }) => {
    const isSignInAllowed = await markVerified(tx, userId, browser?.registration ?? null);
    await recordAuditEvent('account.verified', { userId }, tx);
    if (!browser || !isSignInAllowed || browser.user?.verified || browser.user?.id === userId) return null;
    // A savepoint, so that a failure takes back the session and nothing else.
    return tx
      .transaction((inner) =>
        createSession(inner, { id: userId, verified: true }, browser.client, 'verification'),
      )
      .catch((error: unknown) => {
        log.error({ err: error, userId }, 'failed to sign in a verified account');
        return null;
      });
  });
  return { accountStatus: 'VERIFIED', tokens };
}

function assertResendCooldown(seconds: number | null): void {
  if (seconds === null || seconds >= RESEND_SECONDS) return;
  throw new AppError('rate_limited', {
    message: 'We sent an email less than a minute ago. Check your inbox, or try again in a moment.',
    retryAfter: Math.ceil(RESEND_SECONDS - seconds),
  });
}

/**
 * Sends a new verification email, unless one was sent less than a minute ago.
 * @returns the seconds since that one, or null
 */
async function sendVerification(user: Pick<User, 'id' | 'email' | 'firstName'>): Promise<number | null> {
  return db().transaction(async (tx) => {
    await lockAccount(tx, user.id);
    const since = await secondsSinceLink(tx, user.id);
    if (since !== null && since < RESEND_SECONDS) return since;
    const token = await createLink(tx, user.id, 'verify');
    await enqueueMail(tx, await verificationMail(user, token), 'verification');
    return null;
  });
}

/**
 * Sends the signed-in account a new verification email, unless its address is already verified.
 * @throws AppError `rate_limited` within a minute of the last one
 */
export async function resendVerification(
  user: Pick<User, 'id' | 'email' | 'firstName' | 'verified'>,
  client: Client,
): Promise<void> {
  await countAttempt('resend', { subject: user.email, client: client.address });
  if (user.verified) return;
  assertResendCooldown(await sendVerification(user));
}

/**
 * Checks whether the browser that registered this address may request another email. Relies only on what the browser
 * itself stores, so that the response is the same whether or not the address had an account.
 * @param askedAt when it last requested one, in milliseconds since 1970
 * @throws AppError `rate_limited`
 */
export async function allowResend(email: string, askedAt: number, client: Client): Promise<void> {
  await countAttempt('resend', { subject: email, client: client.address });
  assertResendCooldown((Date.now() - askedAt) / 1000);
}

/**
 * Sends the email that {@link allowResend} allowed. Call it after responding, since its timing would reveal whether
 * the address has an account.
 */
export async function resendToRegistered(email: string): Promise<void> {
  const [user] = await db()
    .select()
    .from(users)
    .where(and(eq(users.email, email), isNull(users.verifiedAt)));
  if (user) await sendVerification(user);
}
