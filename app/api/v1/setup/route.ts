import { setSessionCookies } from '@/lib/account/sessions/cookies';
import * as contract from '@/lib/account/setup/contract';
import { setUp } from '@/lib/account/setup/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.setUp, async ({ body, request }) => {
  await setSessionCookies(await setUp(body, clientOf(request.headers)));
  return { accountStatus: 'VERIFIED' } as const;
});
