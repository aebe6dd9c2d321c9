import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { setSessionCookies } from '@/lib/sessions/cookies';
import { setUp as contract } from '@/lib/setup/contract';
import { setUp } from '@/lib/setup/service';

export const POST = endpoint(contract, async ({ body, request }) => {
  await setSessionCookies(await setUp(body, clientOf(request.headers)));
  return { accountStatus: 'VERIFIED' } as const;
});
