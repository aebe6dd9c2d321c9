import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { setSessionCookies } from '@/lib/http/cookies';
import { changePassword as contract } from '@/lib/security/contract';
import { changePassword } from '@/lib/security/service';

export const POST = endpoint(contract, async ({ user, body, request }) => {
  await setSessionCookies(await changePassword(user, body, clientOf(request.headers)));
  return {};
});
