import * as contract from '@/lib/account/registration/contract';
import { resetPassword } from '@/lib/account/registration/service';
import { clearSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.resetPassword, async ({ params, body, client }) => {
  await resetPassword(params.uidb64, params.token, body.newPassword, client);
  await clearSessionCookies();
});
