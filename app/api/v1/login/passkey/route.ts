import * as contract from '@/lib/account/passkeys/contract';
import { signInWithPasskey } from '@/lib/account/passkeys/sign-in';
import { setSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.signInWithPasskey, async ({ body, client }) => {
  const { accountStatus, tokens } = await signInWithPasskey(body.credential, client);
  await setSessionCookies(tokens);
  return { accountStatus };
});
