import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/contract/errors';
import { clientOf } from '@/lib/http/client-address';
import { signInWithCode } from '@/lib/identities/contract';
import { clearSealed, readSealed } from '@/lib/identities/cookies';
import { finishWithCode } from '@/lib/identities/sign-in';
import { setSessionCookies } from '@/lib/sessions/cookies';

export const POST = endpoint(signInWithCode, async ({ body, request }) => {
  const pending = await readSealed('pending');
  if (!pending?.account) throw new AppError('unauthenticated');
  await setSessionCookies(await finishWithCode(pending, body.code, clientOf(request.headers)));
  await clearSealed('pending');
  return { accountStatus: 'VERIFIED' as const };
});
