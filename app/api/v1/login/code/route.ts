import { clientOf } from '@/lib/http/client-address';
import { setSessionCookies } from '@/lib/http/cookies';
import { endpoint } from '@/lib/http/endpoint';
import { AppError } from '@/lib/http/errors';
import { clearSealed, readSealed } from '@/lib/http/sealed-cookies';
import { provider, signInWithCode } from '@/lib/identities/contract';
import { finishWithCode } from '@/lib/identities/service';

export const POST = endpoint(signInWithCode, async ({ body, request }) => {
  const pending = await readSealed('pending');
  if (!pending) throw new AppError('unauthenticated');
  const waiting = { userId: pending.userId, provider: provider.parse(pending.provider) };
  await setSessionCookies(await finishWithCode(waiting, body.code, clientOf(request.headers)));
  await clearSealed('pending');
  return { accountStatus: 'VERIFIED' as const };
});
