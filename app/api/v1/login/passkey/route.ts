import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { setSessionCookies } from '@/lib/http/cookies';
import { signInWithPasskey as contract } from '@/lib/passkeys/contract';
import { signInWithPasskey } from '@/lib/passkeys/sign-in';

export const POST = endpoint(contract, async ({ body, request }) => {
  const { accountStatus, tokens } = await signInWithPasskey(body.credential, clientOf(request.headers));
  await setSessionCookies(tokens);
  return { accountStatus };
});
