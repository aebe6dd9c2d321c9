import * as contract from '@/lib/account/providers/contract';
import { clearSealedCookie, readSealedCookie } from '@/lib/account/providers/cookies';
import { finishSignInWithCode } from '@/lib/account/providers/sign-in';
import { setSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/foundation/contract/errors';

export const POST = endpoint(contract.signInWithCode, async ({ body, client }) => {
  const pending = await readSealedCookie('pending');
  if (!pending?.account) throw new AppError('unauthenticated');
  await setSessionCookies(await finishSignInWithCode(pending, body.code, client));
  await clearSealedCookie('pending');
  return { accountStatus: 'VERIFIED' as const };
});
