import * as contract from '@/lib/account/registration/contract';
import { readRegisteredCookie, renewRegisteredCookie } from '@/lib/account/registration/cookies';
import { allowResend, resendToRegistered, resendVerification } from '@/lib/account/registration/verification';
import { readSessionCookies } from '@/lib/account/sessions/cookies';
import { authenticate } from '@/lib/account/sessions/service';
import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/foundation/contract/errors';
import { afterResponse } from '@/lib/foundation/request-scope';

export const POST = endpoint(contract.resendVerificationEmail, async ({ client }) => {
  const user = await authenticate((await readSessionCookies()).access);
  if (user) return resendVerification(user, client);
  const registered = await readRegisteredCookie();
  if (!registered) throw new AppError('unauthenticated');
  await allowResend(registered.email, registered.askedAt, client);
  await renewRegisteredCookie(registered);
  afterResponse(() => resendToRegistered(registered.email));
});
