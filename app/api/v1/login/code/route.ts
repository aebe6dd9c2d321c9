import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/contract/errors';
import { clientOf } from '@/lib/http/client-address';
import { setSessionCookies } from '@/lib/http/cookies';
import { clearSealed, readSealed } from '@/lib/http/sealed-cookies';
import { signInWithCode } from '@/lib/identities/contract';
import { finishWithCode } from '@/lib/identities/sign-in';

export const POST = endpoint(signInWithCode, async ({ body, request }) => {
  const pending = await readSealed('pending');
  if (!pending?.account) throw new AppError('unauthenticated');
  await setSessionCookies(await finishWithCode(pending, body.code, clientOf(request.headers)));
  await clearSealed('pending');
  return { accountStatus: 'VERIFIED' as const };
});
