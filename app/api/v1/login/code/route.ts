import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/contract/errors';
import { clientOf } from '@/lib/http/client-address';
import { signInWithCode } from '@/lib/identities/contract';
import { clearSealedCookie, readSealedCookie } from '@/lib/identities/cookies';
import { finishSignInWithCode } from '@/lib/identities/sign-in';
import { setSessionCookies } from '@/lib/sessions/cookies';

export const POST = endpoint(signInWithCode, async ({ body, request }) => {
  const pending = await readSealedCookie('pending');
  if (!pending?.account) throw new AppError('unauthenticated');
  await setSessionCookies(await finishSignInWithCode(pending, body.code, clientOf(request.headers)));
  await clearSealedCookie('pending');
  return { accountStatus: 'VERIFIED' as const };
});
