import * as contract from '@/lib/account/deletion/contract';
import { describeDeletion, requestDeletion } from '@/lib/account/deletion/service';
import { clearSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const GET = endpoint(contract.getDeletion, ({ user }) => describeDeletion(user.id));

export const POST = endpoint(contract.requestDeletion, async ({ user, body, request }) => {
  const requested = await requestDeletion(user, body, clientOf(request.headers));
  await clearSessionCookies();
  return requested;
});
