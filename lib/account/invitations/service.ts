import { and, desc, eq, gt, lte, or, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { invitations } from '@/db/schema/accounts';
import { hashToken, newToken } from '@/lib/account/sessions/tokens';
import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';

const LIFETIME_DAYS = 14;

/** Says why somebody can't create an account, on the signup page and in responses. */
export const SIGNUP_CLOSED = 'Sign-up is closed on this site.';
export const INVITATION_NEEDED =
  'You need an invitation to sign up on this site. Ask the site’s administrator for one.';
export const INVITATION_INVALID =
  'This invitation is no longer valid. Ask the site’s administrator for a new one.';

/** Returns who may create an account. */
export const signupMode = () => env().SIGNUP;

/** Returns whether anyone can sign up, so that pages offer it. */
export const isSignupOpen = (): boolean => signupMode() === 'open';

const isOpen = gt(invitations.expiresAt, sql`now()`);

/** Matches the invitation of either link. */
const hasToken = (token: string) =>
  or(eq(invitations.mailHash, hashToken(token)), eq(invitations.shownHash, hashToken(token)));

const linkOf = (token: string): string => `${env().APP_URL}/signup?invite=${token}`;

/**
 * Invites an address for 14 days. The links of an earlier invitation to it stop working.
 * @returns the link for the email, and another one to show
 */
export async function createInvitation(tx: Transaction, email: string) {
  const [mailed, shown] = [newToken(), newToken()];
  const values = {
    mailHash: mailed.hash,
    shownHash: shown.hash,
    expiresAt: sql`now() + ${LIFETIME_DAYS} * interval '1 day'`,
    createdAt: sql`now()`,
  };
  await tx
    .insert(invitations)
    .values({ email, ...values })
    .onConflictDoUpdate({ target: invitations.email, set: values });
  return { mailLink: linkOf(mailed.token), shownLink: linkOf(shown.token) };
}

/** Returns the address that a link invites, without using the link up; null if the link doesn't work. */
export async function findInvitedAddress(token: string): Promise<string | null> {
  const [invitation] = await db()
    .select({ email: invitations.email })
    .from(invitations)
    .where(and(hasToken(token), isOpen));
  return invitation?.email ?? null;
}

/**
 * Checks that this address may create an account, without looking at accounts.
 * @param token from the invitation's link
 * @throws AppError `conflict` while sign-up is closed; `invalid_or_expired_link` without the address's invitation
 */
export async function assertMayRegister(email: string, token: string | undefined): Promise<void> {
  const mode = signupMode();
  if (mode === 'closed') throw new AppError('conflict', { message: SIGNUP_CLOSED });
  if (token === undefined) {
    if (mode === 'open') return;
    throw new AppError('invalid_or_expired_link', { message: INVITATION_NEEDED });
  }
  if ((await findInvitedAddress(token)) === email) return;
  throw new AppError('invalid_or_expired_link', { message: INVITATION_INVALID });
}

/**
 * Uses up an address's invitation. Call it before inserting the account.
 * @returns whether the link came by email, which proves that its reader has the address
 * @throws AppError `invalid_or_expired_link`
 */
export async function redeemInvitation(
  tx: Transaction,
  email: string,
  token: string,
): Promise<{ provesAddress: boolean }> {
  // Whoever deletes the row first has used the invitation.
  const [invitation] = await tx
    .delete(invitations)
    .where(and(eq(invitations.email, email), hasToken(token), isOpen))
    .returning({ mailHash: invitations.mailHash });
  if (!invitation) throw new AppError('invalid_or_expired_link', { message: INVITATION_INVALID });
  return { provesAddress: invitation.mailHash === hashToken(token) };
}

/** Uses up or withdraws an address's invitation, whatever its links are. @returns whether there was one */
export async function redeemInvitationOf(tx: Transaction, email: string): Promise<boolean> {
  const redeemed = await tx
    .delete(invitations)
    .where(and(eq(invitations.email, email), isOpen))
    .returning({ email: invitations.email });
  return redeemed.length > 0;
}

/** Returns the invitations that still work, newest first. */
export function listInvitations() {
  return db()
    .select({
      email: invitations.email,
      invitedAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .where(isOpen)
    .orderBy(desc(invitations.createdAt), invitations.email);
}

/** Deletes invitations whose links no longer work. */
export async function deleteExpiredInvitations(): Promise<void> {
  await db().delete(invitations).where(lte(invitations.expiresAt, sql`now()`));
}
