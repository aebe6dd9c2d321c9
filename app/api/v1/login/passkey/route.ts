import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { signInWithPasskey as contract } from '@/lib/passkeys/contract';
import { signInWithPasskey } from '@/lib/passkeys/sign-in';
import { setSessionCookies } from '@/lib/sessions/cookies';

export const POST = endpoint(contract, async ({ body, request }) => {
  const { accountStatus, tokens } = await signInWithPasskey(body.credential, clientOf(request.headers));
  await setSessionCookies(tokens);
  return { accountStatus };
});
