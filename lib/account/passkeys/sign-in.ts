import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { passkeys } from '@/db/schema/security';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { lockAccount } from '@/lib/account/passwords/locks';
import { createSession } from '@/lib/account/security/sign-in';
import type { SessionTokens } from '@/lib/account/sessions/tokens';
import { consumeAssertion, verifyAssertion } from '@/lib/account/webauthn/assertion';
import { LIFETIME, newChallenge } from '@/lib/account/webauthn/challenge';
import type { Assertion } from '@/lib/account/webauthn/contract';
import { relyingParty } from '@/lib/account/webauthn/relying-party';
import { AppError } from '@/lib/foundation/contract/errors';
import type { AccountStatus } from '@/lib/foundation/contract/fields';
import type { Client } from '@/lib/foundation/request-scope';
import { countAttempt, resetAttempts } from '@/lib/limits/service';

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
  await countAttempt('passkey', attempt);
  const found = await findPasskey(credential.id);
  const answer =
    found && credential.response.userHandle && (await verifyAssertion(credential, found.passkey, SIGN_IN));
  const refusal = new AppError('invalid_credentials', {
    message: 'We couldn’t verify that passkey. Try again, or log in with your password.',
  });
  if (!answer) {
    await recordAuditEvent('passkey.refused', { userId: found?.passkey.userId });
    throw refusal;
  }
  const { passkey, verified } = found;
  const tokens = await db().transaction(async (tx) => {
    await lockAccount(tx, passkey.userId);
    if (!(await consumeAssertion(tx, answer))) return null;
    return createSession(tx, { id: passkey.userId, verified }, client, 'passkey');
  });
  if (!tokens) {
    await recordAuditEvent('passkey.refused', { userId: passkey.userId });
    throw refusal;
  }
  await resetAttempts('passkey', attempt);
  return { accountStatus: verified ? 'VERIFIED' : 'NOT_VERIFIED', tokens };
}
