import { endpoint } from '@/lib/api/endpoint';
import { getDeletion, requestDeletion as requestContract } from '@/lib/deletions/contract';
import { describeDeletion, requestDeletion } from '@/lib/deletions/service';
import { clientOf } from '@/lib/http/client-address';
import { clearSessionCookies } from '@/lib/sessions/cookies';

export const GET = endpoint(getDeletion, ({ user }) => describeDeletion(user.id));

export const POST = endpoint(requestContract, async ({ user, body, request }) => {
  const requested = await requestDeletion(user, body, clientOf(request.headers));
  await clearSessionCookies();
  return requested;
});
