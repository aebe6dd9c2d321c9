import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { passkeys } from '@/db/schema/security';
import type { Client } from '@/lib/http/client-address';
import { countTry, forgiveTries } from '@/lib/limits/service';
import type { Assertion } from '@/lib/security/contract';
import type { User } from '@/lib/sessions/service';
import { spendAssertion, verifyAssertion } from './assertion';
import { LIFETIME, newChallenge } from './challenge';
import { relyingParty } from './relying-party';

const confirming = (user: User) => `confirm ${user.id} ${user.sessionId}`;

/** Returns what the browser needs to confirm a change with one of the account's passkeys. */
export async function confirmOptions(user: User) {
  const own = await db()
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, user.id));
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
 * @returns whether it was one, of one of the account's own passkeys
 * @throws AppError `rate_limited`
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
  if (!answer || !(await db().transaction((tx) => spendAssertion(tx, answer)))) return false;
  await forgiveTries('passkey', attempt);
  return true;
}
