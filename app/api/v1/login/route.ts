import * as contract from '@/lib/account/registration/contract';
import { login } from '@/lib/account/registration/service';
import { setSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.login, async ({ body, request }) => {
  const { accountStatus, tokens } = await login(body, clientOf(request.headers));
  await setSessionCookies(tokens);
  return { accountStatus };
});
