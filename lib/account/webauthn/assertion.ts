import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { passkeys } from '@/db/schema/security';
import { consumeChallenge, isOurChallenge } from './challenge';
import type { Assertion } from './contract';
import { relyingParty, userHandle } from './relying-party';

type Passkey = typeof passkeys.$inferSelect;

interface Verified {
  passkeyId: string;
  challenge: string;
  counter: number;
}

/**
 * Verifies a passkey's answer to one of our challenges; the authenticator has verified its user.
 * @param purpose what the challenge was made for
 * @returns null when it isn't such an answer
 */
export async function verifyAssertion(
  credential: Assertion,
  passkey: Passkey,
  purpose: string,
): Promise<Verified | null> {
  const { id: rpID, origin } = relyingParty();
  const owner = Buffer.from(userHandle(passkey.userId)).toString('base64url');
  // Optional where the account is known beforehand (WebAuthn 3, 7.2); it must never name another one.
  if ((credential.response.userHandle ?? owner) !== owner) return null;
  let challenge = '';
  const verification = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: (given) => {
      challenge = given;
      return isOurChallenge(given, purpose);
    },
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: {
      id: passkey.credentialId,
      counter: passkey.counter,
      transports: passkey.transports,
      publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
    },
    requireUserVerification: true,
  }).catch(() => null);
  if (!verification?.verified) return null;
  return { passkeyId: passkey.id, challenge, counter: verification.authenticationInfo.newCounter };
}

/**
 * Uses a verified answer up, in the transaction of what it allows.
 * @returns false when it was used before, when the passkey is gone or turned off, or when its counter shows that it was copied
 */
export async function consumeAssertion(
  tx: Transaction,
  { passkeyId, challenge, counter }: Verified,
): Promise<boolean> {
  if (!(await consumeChallenge(tx, challenge))) return false;
  // An authenticator that counts has to have counted on; two copies of one key could not both (WebAuthn 3, 6.1.1).
  const countedOn = or(
    sql`${passkeys.counter} < ${counter}`,
    sql`${passkeys.counter} = 0 and ${counter} = 0`,
  );
  const used = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, passkeyId), isNull(passkeys.disabledAt), countedOn))
    .returning({ id: passkeys.id });
  return used.length > 0;
}
