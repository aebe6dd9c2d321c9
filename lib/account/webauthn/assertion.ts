import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { parse as idToBytes } from 'uuid';
import { db, type Transaction } from '@/db/client';
import { passkeys } from '@/db/schema/security';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { lockAccount, lockAccountForSession } from '@/lib/account/passwords/locks';
import type { User } from '@/lib/account/sessions/service';
import { env } from '@/lib/foundation/env';
import type { Client } from '@/lib/foundation/request-scope';
import { countAttempt, resetAttempts } from '@/lib/limits/service';
import { consumeChallenge, isOurChallenge, LIFETIME, newChallenge } from './challenge';
import type { Assertion } from './contract';

/** The site as authenticators know it, by APP_URL and never by a request's Host. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { id: hostname, origin };
}

/** The account as authenticators keep it: its id's 16 bytes, which tell nobody who it is (WebAuthn 3, 14.6.1). */
export function userHandle(userId: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(idToBytes(userId));
}

/** Loads the library that speaks WebAuthn, which takes longer than signing in with a password. */
export const webAuthn = () => import('@simplewebauthn/server');

type Passkey = typeof passkeys.$inferSelect;

/**
 * Returns what the browser needs to ask for a passkey.
 * @param purpose what the answer is good for
 * @param allowCredentials the passkeys to choose from; by default, whichever the browser has for this site
 */
export const assertionOptions = async (
  purpose: string,
  allowCredentials?: { id: string; transports: Passkey['transports'] }[],
) =>
  (await webAuthn()).generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: newChallenge(purpose),
    timeout: LIFETIME,
    userVerification: 'required',
    ...(allowCredentials && { allowCredentials }),
  });

/** Verifies a passkey's answer to one of our challenges; the authenticator has verified its user. */
async function verify(credential: Assertion, passkey: Passkey, purpose: string) {
  const { id: rpID, origin } = relyingParty();
  const owner = Buffer.from(userHandle(passkey.userId)).toString('base64url');
  // Optional where the account is known beforehand (WebAuthn 3, 7.2); it must never name another one.
  if ((credential.response.userHandle ?? owner) !== owner) return null;
  let challenge = '';
  const { verifyAuthenticationResponse } = await webAuthn();
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
  return verification?.verified ? { challenge, counter: verification.authenticationInfo.newCounter } : null;
}

/** Uses up a challenge and counts on. @returns false if the passkey is gone or off, or its counter shows a copy */
async function consume(
  tx: Transaction,
  passkeyId: string,
  { challenge, counter }: { challenge: string; counter: number },
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

/**
 * Uses up a passkey's answer to a challenge.
 * @param user whose passkey it has to be, in their session; null where the answer says who it is
 * @param work what the answer allows, in the same transaction
 * @returns null, after recording it, if it's no answer to a live challenge of this purpose by a passkey that's on
 * @throws AppError `rate_limited`; `unauthenticated` when the session has ended
 */
export async function redeemAssertion<T>(
  credential: Assertion,
  purpose: string,
  user: User | null,
  client: Client,
  work: (tx: Transaction, userId: string) => Promise<T>,
): Promise<T | null> {
  const attempt = { subject: credential.id, client: client.address };
  await countAttempt('passkey', attempt);
  const own = user ? eq(passkeys.userId, user.id) : undefined;
  const [passkey] = await db()
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.credentialId, credential.id), own));
  const isNamed = user !== null || credential.response.userHandle !== undefined;
  const answer = passkey && isNamed && (await verify(credential, passkey, purpose));
  const result =
    answer &&
    (await db().transaction(async (tx) => {
      await (user ? lockAccountForSession(tx, user) : lockAccount(tx, passkey.userId));
      return (await consume(tx, passkey.id, answer)) ? work(tx, passkey.userId) : null;
    }));
  if (!result) {
    const userId = passkey?.userId ?? user?.id;
    await recordAuditEvent('passkey.refused', { userId, sessionId: user?.sessionId });
    return null;
  }
  await resetAttempts('passkey', attempt);
  return result;
}
