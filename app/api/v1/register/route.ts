import { register as contract } from '@/lib/accounts/contract';
import { setRegisteredCookie } from '@/lib/accounts/cookies';
import { register } from '@/lib/accounts/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';

export const POST = endpoint(contract, async ({ body, request }) => {
  const { accountStatus, accountId } = await register(body, clientOf(request.headers));
  if (accountStatus === 'NOT_VERIFIED') await setRegisteredCookie(body.email, accountId, body.next);
  return { accountStatus };
});
