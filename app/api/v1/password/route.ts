import * as contract from '@/lib/account/security/contract';
import { changePassword } from '@/lib/account/security/service';
import { setSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.changePassword, async ({ user, body, request }) => {
  await setSessionCookies(await changePassword(user, body, clientOf(request.headers)));
  return {};
});
