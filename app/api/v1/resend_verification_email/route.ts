import { resendVerificationEmail } from '@/lib/accounts/contract';
import { allowResend, resendToRegistered, resendVerification } from '@/lib/accounts/service';
import { afterAnswer } from '@/lib/api/after-answer';
import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/contract/errors';
import { clientOf } from '@/lib/http/client-address';
import { readRegistered, readSessionCookies, rememberRegistered } from '@/lib/http/cookies';
import { authenticate } from '@/lib/sessions/service';

export const POST = endpoint(resendVerificationEmail, async ({ request }) => {
  const client = clientOf(request.headers);
  const user = await authenticate((await readSessionCookies()).access);
  if (user) {
    await resendVerification(user, client);
    return {};
  }
  const registered = await readRegistered();
  if (!registered) throw new AppError('unauthenticated');
  await allowResend(registered.email, registered.askedAt, client);
  await rememberRegistered(registered.email);
  afterAnswer('a verification mail', () => resendToRegistered(registered.email));
  return {};
});
