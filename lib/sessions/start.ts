import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '@/db/client';
import { sessions } from '@/db/schema/accounts';
import { note } from '@/lib/audit/service';
import type { Client } from '@/lib/http/client-address';
import { sendDeviceNotice } from '@/lib/security/notices';
import { deviceName } from './device-name';
import { deviceHashOf, rememberDevice } from './devices';
import { issueTokens } from './issue';
import type { SessionTokens } from './service';
import { newToken, SESSION_SECONDS } from './tokens';

/** By what somebody signs in. */
export type Way = 'password' | 'passkey' | 'google' | 'github';

interface Starting {
  id: string;
  verified: boolean;
}

async function insertSession(
  tx: Transaction,
  user: Starting,
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
 * Starts a new session, in the caller's transaction; a login never goes on with an old one. When the account hasn't
 * been signed in to from this browser before, its owner gets an email with a link that signs the browser out.
 * @param options.tellOwner false where another email says it, whose link signs out every device
 */
export async function createSession(
  tx: Transaction,
  user: Starting,
  client: Client,
  way: Way,
  { tellOwner = true } = {},
): Promise<SessionTokens> {
  const device = client.device ?? newToken().token;
  const deviceHash = deviceHashOf(user.id, device);
  const isNew = await rememberDevice(tx, user.id, deviceHash);
  const { sessionId, tokens } = await insertSession(tx, user, client, deviceHash);
  // An unverified address may be a stranger's, who hasn't asked for any email.
  if (isNew && tellOwner && user.verified) {
    await sendDeviceNotice(tx, user.id, { sessionId, deviceHash }, deviceName(client.userAgent));
  }
  await note('login.accepted', { userId: user.id, sessionId, detail: way }, tx);
  return { ...tokens, device };
}

/**
 * Starts the session that takes the place of the one at hand, on the same device. It ends 90 days from now, because
 * its owner has just shown who they are again.
 */
export async function replaceSession(
  tx: Transaction,
  user: Starting & { sessionId: string },
  client: Client,
): Promise<SessionTokens> {
  const [old] = await tx
    .select({ deviceHash: sessions.deviceHash })
    .from(sessions)
    .where(and(eq(sessions.id, user.sessionId), eq(sessions.userId, user.id)));
  return (await insertSession(tx, user, client, old?.deviceHash ?? null)).tokens;
}
