import { setSessionCookies } from '@/lib/account/sessions/cookies';
import * as contract from '@/lib/account/setup/contract';
import { setUp } from '@/lib/account/setup/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.setUp, async ({ body, client }) => {
  await setSessionCookies(await setUp(body, client));
  return { accountStatus: 'VERIFIED' } as const;
});
