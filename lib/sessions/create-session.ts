import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '@/db/client';
import { sessions } from '@/db/schema/accounts';
import type { Client } from '@/lib/request-scope';
import { issueTokens } from './issue-tokens';
import type { SessionTokens } from './service';
import { SESSION_SECONDS } from './tokens';

export interface SessionOwner {
  id: string;
  verified: boolean;
}

/** Inserts a session with its first token pair, in the caller's transaction. */
export async function insertSession(
  tx: Transaction,
  user: SessionOwner,
  { userAgent }: Client,
  deviceHash: string | null,
) {
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
