import * as contract from '@/lib/account/registration/contract';
import { resetPassword } from '@/lib/account/registration/service';
import { clearSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.resetPassword, async ({ params, body, request }) => {
  await resetPassword(params.uidb64, params.token, body.newPassword, clientOf(request.headers));
  await clearSessionCookies();
  return {};
});
