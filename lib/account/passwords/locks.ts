import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { SESSION_SECONDS } from '@/lib/account/sessions/tokens';
import { AppError } from '@/lib/foundation/contract/errors';

/**
 * Locks an account until the transaction ends. Sign-ins, links, resets and changes to the sign-in methods all take this lock
 * before they read or write any other row of the account: none of them acts on what another is changing, and no two
 * wait for each other in a circle.
 * @returns the account as it is now, or undefined when there is none
 */
export async function lockAccount(tx: Transaction, userId: string) {
  const [owner] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update');
  return owner;
}

/**
 * Locks an account for a change that one of its sessions asked for. A request that was authenticated just before a
 * reset ended its session waits here, and is then refused.
 * @throws AppError `unauthenticated` when the session has ended
 */
export async function lockAccountForSession(
  tx: Transaction,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<void> {
  await lockAccount(tx, id);
  const [live] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, sessionId),
        eq(sessions.userId, id),
        isNull(sessions.revokedAt),
        sql`${sessions.createdAt} > now() - ${SESSION_SECONDS} * interval '1 second'`,
      ),
    )
    .for('share');
  if (!live) throw new AppError('unauthenticated');
}
