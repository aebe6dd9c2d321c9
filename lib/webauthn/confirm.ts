import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { passkeys } from '@/db/schema/security';
import { lockAccountOf } from '@/lib/credentials/locks';
import { countTry, forgiveTries } from '@/lib/limits/service';
import type { Client } from '@/lib/request-scope';
import type { User } from '@/lib/sessions/service';
import { spendAssertion, verifyAssertion } from './assertion';
import { LIFETIME, newChallenge } from './challenge';
import type { Assertion } from './contract';
import { relyingParty } from './relying-party';

const confirming = (user: User) => `confirm ${user.id} ${user.sessionId}`;

/** Returns what the browser needs to confirm a change with one of the account's passkeys that are on. */
export async function confirmOptions(user: User) {
  const own = await db()
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(and(eq(passkeys.userId, user.id), isNull(passkeys.disabledAt)));
  return generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: newChallenge(confirming(user)),
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
  await countTry('passkey', attempt);
  const [passkey] = await db()
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.credentialId, credential.id), eq(passkeys.userId, user.id)));
  const answer = passkey && (await verifyAssertion(credential, passkey, confirming(user)));
  if (!answer) return false;
  const spent = await db().transaction(async (tx) => {
    await lockAccountOf(tx, user);
    return spendAssertion(tx, answer);
  });
  if (!spent) return false;
  await forgiveTries('passkey', attempt);
  return true;
}
