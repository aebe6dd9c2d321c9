import { lockAccount } from '@/lib/account/passwords/locks';
import { createSession } from '@/lib/account/sessions/create-session';
import type { SessionTokens } from '@/lib/account/sessions/tokens';
import { assertionOptions, redeemAssertion } from '@/lib/account/webauthn/assertion';
import type { Assertion } from '@/lib/account/webauthn/contract';
import { AppError } from '@/lib/foundation/contract/errors';
import type { AccountStatus } from '@/lib/foundation/contract/fields';
import type { Client } from '@/lib/foundation/request-scope';

const SIGN_IN = 'sign in';

/** What the browser needs to sign in with whichever passkey it has for this site; the same for everybody. */
export const signInOptions = () => assertionOptions(SIGN_IN);

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
  const signedIn = await redeemAssertion(credential, SIGN_IN, null, client, async (tx, id) => {
    const verified = Boolean((await lockAccount(tx, id))?.verifiedAt);
    const accountStatus: AccountStatus = verified ? 'VERIFIED' : 'NOT_VERIFIED';
    return { accountStatus, tokens: await createSession(tx, { id, verified }, client, 'passkey') };
  });
  if (signedIn) return signedIn;
  throw new AppError('invalid_credentials', {
    message: 'We couldn’t verify that passkey. Try again, or log in with your password.',
  });
}
