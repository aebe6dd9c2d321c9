import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { passkeys } from '@/db/schema/security';
import { lockAccountForSession } from '@/lib/account/passwords/locks';
import type { User } from '@/lib/account/sessions/service';
import type { Client } from '@/lib/foundation/request-scope';
import { countAttempt, resetAttempts } from '@/lib/limits/service';
import { consumeAssertion, verifyAssertion } from './assertion';
import { LIFETIME, newChallenge } from './challenge';
import type { Assertion } from './contract';
import { relyingParty } from './relying-party';

const confirmationPurpose = (user: User) => `confirm ${user.id} ${user.sessionId}`;

/** Returns what the browser needs to confirm a change with one of the account's passkeys that are on. */
export async function confirmOptions(user: User) {
  const own = await db()
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(and(eq(passkeys.userId, user.id), isNull(passkeys.disabledAt)));
  return generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: newChallenge(confirmationPurpose(user)),
    timeout: LIFETIME,
    userVerification: 'required',
    allowCredentials: own,
  });
}

/**
 * Uses up a passkey's answer to a challenge that this session was given.
 * @returns whether it was one, of one of the account's own passkeys that is on
 * @throws AppError `rate_limited`; `unauthenticated` when the session has ended
 */
export async function confirmWithPasskey(
  user: User,
  credential: Assertion,
  client: Client,
): Promise<boolean> {
  const attempt = { subject: credential.id, client: client.address };
  await countAttempt('passkey', attempt);
  const [passkey] = await db()
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.credentialId, credential.id), eq(passkeys.userId, user.id)));
  const answer = passkey && (await verifyAssertion(credential, passkey, confirmationPurpose(user)));
  if (!answer) return false;
  const spent = await db().transaction(async (tx) => {
    await lockAccountForSession(tx, user);
    return consumeAssertion(tx, answer);
  });
  if (!spent) return false;
  await resetAttempts('passkey', attempt);
  return true;
}
