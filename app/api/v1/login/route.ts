import { login as contract } from '@/lib/account/registration/contract';
import { login } from '@/lib/account/registration/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';
import { setSessionCookies } from '@/lib/account/sessions/cookies';

export const POST = endpoint(contract, async ({ body, request }) => {
  const { accountStatus, tokens } = await login(body, clientOf(request.headers));
  await setSessionCookies(tokens);
  return { accountStatus };
});
