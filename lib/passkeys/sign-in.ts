import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { passkeys } from '@/db/schema/security';
import type { AccountStatus } from '@/lib/accounts/contract';
import { lockAccount } from '@/lib/accounts/locks';
import { note } from '@/lib/audit/service';
import type { Client } from '@/lib/http/client-address';
import { AppError } from '@/lib/http/errors';
import { countTry, forgiveTries } from '@/lib/limits/service';
import { createSession, type SessionTokens } from '@/lib/sessions/service';
import { isOurChallenge, LIFETIME, newChallenge, spendChallenge } from './challenge';
import type { Assertion } from './contract';
import { relyingParty, userHandle } from './service';

const SIGN_IN = 'sign in';

/** What the browser needs to sign in with whichever passkey it has for this site; the same for everybody. */
export function signInOptions() {
  return generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: newChallenge(SIGN_IN),
    timeout: LIFETIME,
    userVerification: 'required',
  });
}

async function findPasskey(credentialId: string) {
  const [found] = await db()
    .select({ passkey: passkeys, verified: sql<boolean>`${users.verifiedAt} is not null` })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, credentialId));
  return found;
}

type Passkey = typeof passkeys.$inferSelect;

/** The challenge that was answered and the new count, or null when it is not the passkey's answer to one of ours. */
async function verify(credential: Assertion, passkey: Passkey) {
  const { id: rpID, origin } = relyingParty();
  const owner = Buffer.from(userHandle(passkey.userId)).toString('base64url');
  if (credential.response.userHandle !== owner) return null;
  let challenge = '';
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: (given) => {
      challenge = given;
      return isOurChallenge(given, SIGN_IN);
    },
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: {
      ...{ id: passkey.credentialId, counter: passkey.counter, transports: passkey.transports },
      publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
    },
    requireUserVerification: true,
  });
  return verified ? { challenge, counter: authenticationInfo.newCounter } : null;
}

/**
 * Signs in with a passkey. It has verified its user itself, by a finger, a face or a PIN, and so counts as both
 * factors: no code is asked for.
 * @throws AppError `rate_limited`; `invalid_credentials`, the same whether the passkey is unknown or turned off, the
 * challenge is spent, too old or not ours, or the signature is wrong
 */
export async function signInWithPasskey(
  credential: Assertion,
  client: Client,
): Promise<{ accountStatus: AccountStatus; tokens: SessionTokens }> {
  const attempt = { subject: credential.id, client: client.address };
  await countTry('passkey', attempt);
  const found = await findPasskey(credential.id);
  const answer = found && (await verify(credential, found.passkey).catch(() => null));
  const refusal = new AppError('invalid_credentials', {
    message: 'This passkey was not accepted. Please try again, or log in with your password.',
  });
  if (!answer) {
    await note('passkey.refused', { userId: found?.passkey.userId });
    throw refusal;
  }
  const { passkey, verified } = found;
  const tokens = await db().transaction(async (tx) => {
    await lockAccount(tx, passkey.userId);
    if (!(await spendChallenge(tx, answer.challenge))) return null;
    // An authenticator that counts has to have counted on; two copies of one key could not both (WebAuthn 3, 6.1.1).
    const used = await tx
      .update(passkeys)
      .set({ counter: answer.counter, lastUsedAt: sql`now()` })
      .where(
        and(
          eq(passkeys.id, passkey.id),
          isNull(passkeys.disabledAt),
          sql`(${passkeys.counter} < ${answer.counter} or ${passkeys.counter} = 0 and ${answer.counter} = 0)`,
        ),
      )
      .returning({ id: passkeys.id });
    if (used.length === 0) return null;
    return createSession(tx, { id: passkey.userId, verified }, client.userAgent, 'passkey');
  });
  if (!tokens) {
    await note('passkey.refused', { userId: passkey.userId });
    throw refusal;
  }
  await forgiveTries('passkey', attempt);
  return { accountStatus: verified ? 'VERIFIED' : 'NOT_VERIFIED', tokens };
}
