import * as contract from '@/lib/account/security/contract';
import { changePassword } from '@/lib/account/security/service';
import { setSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.changePassword, async ({ user, body, client }) =>
  setSessionCookies(await changePassword(user, body, client)),
);
