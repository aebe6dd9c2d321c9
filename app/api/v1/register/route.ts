import * as contract from '@/lib/account/registration/contract';
import { setRegisteredCookie } from '@/lib/account/registration/cookies';
import { register } from '@/lib/account/registration/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.register, async ({ body, client }) => {
  const { accountStatus, accountId } = await register(body, client);
  if (accountStatus === 'NOT_VERIFIED') await setRegisteredCookie(body.email, accountId, body.next);
  return { accountStatus };
});
