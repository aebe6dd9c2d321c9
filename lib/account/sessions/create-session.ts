import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '@/db/client';
import { sessions, users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { sendDeviceNotice } from '@/lib/account/security/notices';
import { AppError } from '@/lib/foundation/contract/errors';
import { deviceName } from '@/lib/foundation/http/device-name';
import type { Client } from '@/lib/foundation/request-scope';
import { deviceHashOf, rememberDevice } from './devices';
import type { User } from './service';
import { issueTokens, newToken, SESSION_SECONDS, type SessionTokens } from './tokens';

type SessionOwner = Pick<User, 'id' | 'verified'>;

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
async function insertSession(
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

/** By what somebody signs in. `verification` is the emailed link, in the browser that signed up. */
type SignInMethod = 'password' | 'passkey' | 'google' | 'github' | 'verification';

/**
 * Starts a new session, in the caller's transaction; a login never goes on with an old one. When the account hasn't
 * been signed in to from this browser before, its owner gets an email with a link that signs the browser out.
 * @param options.tellOwner false where another email says it, whose link signs out every device
 */
export async function createSession(
  tx: Transaction,
  user: SessionOwner,
  client: Client,
  way: SignInMethod,
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
  await recordAuditEvent('login.accepted', { userId: user.id, sessionId, detail: way }, tx);
  return { ...tokens, device };
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
