import type { Transaction } from '@/db/client';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { insertSession, type SessionOwner } from '@/lib/account/sessions/create-session';
import { deviceHashOf, rememberDevice } from '@/lib/account/sessions/devices';
import { newToken, type SessionTokens } from '@/lib/account/sessions/tokens';
import { deviceName } from '@/lib/foundation/http/device-name';
import type { Client } from '@/lib/foundation/request-scope';
import { sendDeviceNotice } from './notices';

/** By what somebody signs in. `verification` is the emailed link, in the browser that signed up. */
export type SignInMethod = 'password' | 'passkey' | 'google' | 'github' | 'verification';

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
