import { resetPassword as contract } from '@/lib/account/registration/contract';
import { resetPassword } from '@/lib/account/registration/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';
import { clearSessionCookies } from '@/lib/account/sessions/cookies';

export const POST = endpoint(contract, async ({ params, body, request }) => {
  await resetPassword(params.uidb64, params.token, body.newPassword, clientOf(request.headers));
  await clearSessionCookies();
  return {};
});
