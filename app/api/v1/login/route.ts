import * as contract from '@/lib/account/registration/contract';
import { login } from '@/lib/account/registration/service';
import { setSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.login, async ({ body, client }) => {
  const { accountStatus, tokens } = await login(body, client);
  await setSessionCookies(tokens);
  return { accountStatus };
});
