import * as contract from '@/lib/account/passkeys/contract';
import { signInWithPasskey } from '@/lib/account/passkeys/sign-in';
import { setSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.signInWithPasskey, async ({ body, request }) => {
  const { accountStatus, tokens } = await signInWithPasskey(body.credential, clientOf(request.headers));
  await setSessionCookies(tokens);
  return { accountStatus };
});
