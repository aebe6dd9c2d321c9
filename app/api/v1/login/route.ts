import { login as contract } from '@/lib/accounts/contract';
import { login } from '@/lib/accounts/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { setSessionCookies } from '@/lib/sessions/cookies';

export const POST = endpoint(contract, async ({ body, request }) => {
  const { accountStatus, tokens } = await login(body, clientOf(request.headers));
  await setSessionCookies(tokens);
  return { accountStatus };
});
