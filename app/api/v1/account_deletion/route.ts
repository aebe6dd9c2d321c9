import * as contract from '@/lib/account/deletion/contract';
import { describeDeletion, requestDeletion } from '@/lib/account/deletion/service';
import { clearSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.getDeletion, ({ user }) => describeDeletion(user.id));

export const POST = endpoint(contract.requestDeletion, async ({ user, body, client }) => {
  const requested = await requestDeletion(user, body, client);
  await clearSessionCookies();
  return requested;
});
