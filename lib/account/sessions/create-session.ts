import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Client } from '@/lib/foundation/request-scope';
import { issueTokens } from './issue-tokens';
import { SESSION_SECONDS, type SessionTokens } from './tokens';

export interface SessionOwner {
  id: string;
  verified: boolean;
}

/**
 * Keeps an account that's turned off from being signed in to. Only someone who has just proved to be its owner gets
 * this far, so the answer may say it.
 * @throws AppError `invalid_credentials`
 */
async function assertAccountEnabled(tx: Transaction, userId: string): Promise<void> {
  const [enabled] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.disabledAt)))
    // A change to the account waits until this session is there to be ended.
    .for('share');
  if (enabled) return;
  await recordAuditEvent('login.account-disabled', { userId });
  const isErasing = and(eq(accountDeletions.userId, userId), isNotNull(accountDeletions.startedAt));
  throw new AppError('invalid_credentials', {
    message:
      (await tx.$count(accountDeletions, isErasing)) > 0
        ? 'This account is being deleted.'
        : 'This account is turned off. Contact the site’s administrator.',
  });
}

/**
 * Inserts a session with its first token pair, in the caller's transaction. Every way to sign in ends here.
 * @throws AppError `invalid_credentials` if the account is turned off
 */
export async function insertSession(
  tx: Transaction,
  user: SessionOwner,
  { userAgent }: Client,
  deviceHash: string | null,
) {
  await assertAccountEnabled(tx, user.id);
  const sessionId = uuidv7();
  await tx
    .insert(sessions)
    .values({ id: sessionId, userId: user.id, userAgent: userAgent.slice(0, 300), deviceHash });
  const tokens = await issueTokens(
    tx,
    { userId: user.id, sessionId, verified: user.verified },
    SESSION_SECONDS,
  );
  return { sessionId, tokens };
}

/**
 * Starts a session that replaces the current one on the same device. It ends 90 days from now, because its owner has
 * just proved who they are again.
 */
export async function replaceSession(
  tx: Transaction,
  user: SessionOwner & { sessionId: string },
  client: Client,
): Promise<SessionTokens> {
  const [old] = await tx
    .select({ deviceHash: sessions.deviceHash })
    .from(sessions)
    .where(and(eq(sessions.id, user.sessionId), eq(sessions.userId, user.id)));
  return (await insertSession(tx, user, client, old?.deviceHash ?? null)).tokens;
}
