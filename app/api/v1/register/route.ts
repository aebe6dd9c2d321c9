import { register as contract } from '@/lib/accounts/contract';
import { setRegisteredCookie } from '@/lib/accounts/cookies';
import { register } from '@/lib/accounts/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';

export const POST = endpoint(contract, async ({ body, request }) => {
  await register(body, clientOf(request.headers));
  await setRegisteredCookie(body.email);
  return { accountStatus: 'NOT_VERIFIED' as const };
});
