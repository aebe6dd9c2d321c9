import { resendVerificationEmail } from '@/lib/accounts/contract';
import { readRegisteredCookie, renewRegisteredCookie } from '@/lib/accounts/cookies';
import { allowResend, resendToRegistered, resendVerification } from '@/lib/accounts/verification';
import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/contract/errors';
import { clientOf } from '@/lib/http/client-address';
import { afterResponse } from '@/lib/request-scope';
import { readSessionCookies } from '@/lib/sessions/cookies';
import { authenticate } from '@/lib/sessions/service';

export const POST = endpoint(resendVerificationEmail, async ({ request }) => {
  const client = clientOf(request.headers);
  const user = await authenticate((await readSessionCookies()).access);
  if (user) {
    await resendVerification(user, client);
    return {};
  }
  const registered = await readRegisteredCookie();
  if (!registered) throw new AppError('unauthenticated');
  await allowResend(registered.email, registered.askedAt, client);
  await renewRegisteredCookie(registered);
  afterResponse(() => resendToRegistered(registered.email));
  return {};
});
