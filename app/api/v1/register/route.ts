import { register as contract } from '@/lib/accounts/contract';
import { register } from '@/lib/accounts/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { rememberRegistered } from '@/lib/http/cookies';

export const POST = endpoint(contract, async ({ body, request }) => {
  await register(body, clientOf(request.headers));
  await rememberRegistered(body.email);
  return { accountStatus: 'NOT_VERIFIED' as const };
});
