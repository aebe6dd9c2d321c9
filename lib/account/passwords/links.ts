import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { db, type Transaction } from '@/db/client';
import { mailLinks, users } from '@/db/schema/accounts';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { hashToken, newToken } from '@/lib/account/sessions/tokens';
import { AppError } from '@/lib/foundation/contract/errors';
import { lockAccount } from './locks';

const LIFETIME_HOURS = { verify: 72, reset: 1, email: 24 };
type Purpose = keyof typeof LIFETIME_HOURS;

const linksOf = (userId: string, purpose: Purpose) =>
  and(eq(mailLinks.userId, userId), eq(mailLinks.purpose, purpose));

/**
 * Makes a link of this purpose. Those made before stay good until one of them is used or their time is over; expired
 * ones are removed. For an id without an account, and an account that's turned off, it does the same work and leaves
 * nothing.
 * @param change the new address and the session that asks for it, for a link of purpose 'email'
 * @returns the token for the mail
 */
export async function createLink(
  tx: Transaction,
  userId: string,
  purpose: Purpose,
  change?: { email: string; sessionId: string },
): Promise<string> {
  const { token, hash } = newToken();
  const owner = await lockAccount(tx, userId);
  await tx.delete(mailLinks).where(and(linksOf(userId, purpose), lte(mailLinks.expiresAt, sql`now()`)));
  await tx.execute(sql`
    insert into ${mailLinks} (hash, user_id, purpose, email, session_id, expires_at)
    select ${hash}, id, ${purpose}::link_purpose, ${change?.email ?? null}::text, ${change?.sessionId ?? null}::uuid,
      now() + ${LIFETIME_HOURS[purpose]} * interval '1 hour'
    from ${users} where id = ${owner?.id ?? null}::uuid and disabled_at is null`);
  return token;
}

/** Removes a link that won't be sent. */
export async function deleteLink(tx: Transaction, token: string): Promise<void> {
  await tx.delete(mailLinks).where(eq(mailLinks.hash, hashToken(token)));
}

/** Returns the account's id that's in a link, or null if there's none. The account may not exist. */
export function userIdOfLink(uidb64: string): string | null {
  const userId = Buffer.from(uidb64, 'base64url').toString();
  return isUuid(userId) ? userId : null;
}

/** With the new address of an 'email' link, and the session that asked for it. */
type Link = Pick<typeof mailLinks.$inferSelect, 'userId' | 'email' | 'sessionId'>;

/**
 * Uses a link up: whoever deletes the row first has used it. The account's other links of this purpose go with it, but
 * not those of other address changes.
 * @param uidb64 unpadded base64url of the account's id, as in the link
 * @param work what the link allows, in the same transaction
 * @throws AppError `invalid_or_expired_link`
 */
export async function redeemLink<T>(
  uidb64: string,
  token: string,
  purpose: Purpose,
  work: (tx: Transaction, link: Link) => Promise<T>,
): Promise<T> {
  const userId = userIdOfLink(uidb64);
  let refused: { userId: string | undefined } | undefined;
  const done = db().transaction(async (tx) => {
    const owner = userId === null ? undefined : await lockAccount(tx, userId);
    const [link] = await tx
      .delete(mailLinks)
      .where(and(eq(mailLinks.hash, hashToken(token)), eq(mailLinks.purpose, purpose)))
      .returning({
        userId: mailLinks.userId,
        email: mailLinks.email,
        sessionId: mailLinks.sessionId,
        live: sql<boolean>`${mailLinks.expiresAt} > now()`,
      });
    // Throwing rolls the deletion back, so that a wrong uid does not use up somebody's link.
    if (!link?.live || link.userId !== owner?.id || owner.disabledAt) {
      // An 'email' link is in a mailbox that may not be the account's: its account isn't told that someone used it.
      refused = { userId: purpose === 'email' ? undefined : link?.userId };
      throw new AppError('invalid_or_expired_link');
    }
    // An 'email' link may be used up by being rejected, which must not touch the changes to other addresses.
    if (purpose !== 'email') await tx.delete(mailLinks).where(linksOf(owner.id, purpose));
    return work(tx, link);
  });
  return done.catch(async (error: unknown) => {
    if (refused) await recordAuditEvent('link.refused', { ...refused, detail: purpose });
    throw error;
  });
}

/** Returns what a live 'email' link would change, and for whom. Reading it doesn't use it up. */
export async function findEmailLink(uidb64: string, token: string): Promise<Link | undefined> {
  const userId = userIdOfLink(uidb64);
  if (userId === null) return undefined;
  const isLive = and(eq(mailLinks.hash, hashToken(token)), gt(mailLinks.expiresAt, sql`now()`));
  const [link] = await db()
    .select()
    .from(mailLinks)
    .where(and(linksOf(userId, 'email'), isLive));
  return link;
}

/**
 * Makes every link void that could still verify the account, reset it or change its address. Links of security
 * notices stay: they belong to whoever had the account before.
 */
export async function invalidateLinks(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(mailLinks).where(eq(mailLinks.userId, userId));
}

/** Returns the seconds since the account's newest verification link was made; null when it has none. */
export async function secondsSinceLink(tx: Transaction, userId: string): Promise<number | null> {
  const [link] = await tx
    .select({ seconds: sql<number | null>`extract(epoch from now() - max(${mailLinks.createdAt}))::float8` })
    .from(mailLinks)
    .where(linksOf(userId, 'verify'));
  return link?.seconds ?? null;
}
