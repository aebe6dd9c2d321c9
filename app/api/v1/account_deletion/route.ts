import { getDeletion, requestDeletion as requestContract } from '@/lib/account/deletion/contract';
import { describeDeletion, requestDeletion } from '@/lib/account/deletion/service';
import { clearSessionCookies } from '@/lib/account/sessions/cookies';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const GET = endpoint(getDeletion, ({ user }) => describeDeletion(user.id));

export const POST = endpoint(requestContract, async ({ user, body, request }) => {
  const requested = await requestDeletion(user, body, clientOf(request.headers));
  await clearSessionCookies();
  return requested;
});
