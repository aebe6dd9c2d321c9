import { and, eq, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { db, type Transaction } from '@/db/client';
import { mailLinks, users } from '@/db/schema/accounts';
import { note } from '@/lib/audit/service';
import { AppError } from '@/lib/http/errors';
import { hashToken, newToken } from '@/lib/sessions/tokens';

type Purpose = 'verify' | 'reset' | 'email';

const LIFETIME_HOURS: Record<Purpose, number> = { verify: 72, reset: 1, email: 24 };

/** Whoever makes or uses links of an account takes turns with the others, here and so in one order. */
export async function lockAccount(tx: Transaction, userId: string): Promise<string | undefined> {
  const [owner] = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  return owner?.id;
}

/**
 * Makes the account's one live link of this purpose; older ones stop working. For an id without an account it
 * does the same work and leaves nothing.
 * @param email the new address, for a link of purpose 'email'
 * @returns the token for the mail
 */
export async function createLink(
  tx: Transaction,
  userId: string,
  purpose: Purpose,
  email?: string,
): Promise<string> {
  const { token, hash } = newToken();
  const owner = await lockAccount(tx, userId);
  await tx.delete(mailLinks).where(and(eq(mailLinks.userId, userId), eq(mailLinks.purpose, purpose)));
  await tx.execute(sql`
    insert into ${mailLinks} (hash, user_id, purpose, email, expires_at)
    select ${hash}, id, ${purpose}::link_purpose, ${email ?? null}::text,
      now() + ${LIFETIME_HOURS[purpose]} * interval '1 hour'
    from ${users} where id = ${owner ?? null}::uuid`);
  return token;
}

interface Link {
  userId: string;
  /** The new address of an 'email' link. */
  email: string | null;
}

/**
 * Uses a link up: whoever deletes the row first has used it.
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
  const userId = Buffer.from(uidb64, 'base64url').toString();
  let refused: { userId: string | undefined } | undefined;
  const done = db().transaction(async (tx) => {
    const owner = isUuid(userId) ? await lockAccount(tx, userId) : undefined;
    const [link] = await tx
      .delete(mailLinks)
      .where(and(eq(mailLinks.hash, hashToken(token)), eq(mailLinks.purpose, purpose)))
      .returning({
        userId: mailLinks.userId,
        email: mailLinks.email,
        live: sql<boolean>`${mailLinks.expiresAt} > now()`,
      });
    // Throwing rolls the deletion back, so that a wrong uid does not use up somebody's link.
    if (!link?.live || link.userId !== owner) {
      refused = { userId: link?.userId };
      throw new AppError('invalid_or_expired_link');
    }
    return work(tx, link);
  });
  return done.catch(async (error: unknown) => {
    if (refused) await note('link.refused', { ...refused, detail: purpose });
    throw error;
  });
}

/** Seconds since the account's live verification link was made; null when it has none. */
export async function secondsSinceLink(userId: string): Promise<number | null> {
  const [link] = await db()
    .select({ seconds: sql<number>`extract(epoch from now() - ${mailLinks.createdAt})::float8` })
    .from(mailLinks)
    .where(and(eq(mailLinks.userId, userId), eq(mailLinks.purpose, 'verify')));
  return link?.seconds ?? null;
}
