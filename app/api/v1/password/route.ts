import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { changePassword as contract } from '@/lib/security/contract';
import { changePassword } from '@/lib/security/service';
import { setSessionCookies } from '@/lib/sessions/cookies';

export const POST = endpoint(contract, async ({ user, body, request }) => {
  await setSessionCookies(await changePassword(user, body, clientOf(request.headers)));
  return {};
});
