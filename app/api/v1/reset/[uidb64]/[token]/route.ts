import { resetPassword as contract } from '@/lib/accounts/contract';
import { resetPassword } from '@/lib/accounts/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { clearSessionCookies } from '@/lib/sessions/cookies';

export const POST = endpoint(contract, async ({ params, body, request }) => {
  await resetPassword(params.uidb64, params.token, body.newPassword, clientOf(request.headers));
  await clearSessionCookies();
  return {};
});
