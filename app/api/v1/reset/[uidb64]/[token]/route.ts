import { resetPassword as contract } from '@/lib/accounts/contract';
import { resetPassword } from '@/lib/accounts/service';
import { clearSessionCookies } from '@/lib/http/cookies';
import { endpoint } from '@/lib/http/endpoint';

export const POST = endpoint(contract, async ({ params, body }) => {
  await resetPassword(params.uidb64, params.token, body.newPassword);
  await clearSessionCookies();
  return {};
});
