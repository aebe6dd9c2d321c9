import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { enableIdentity as contract } from '@/lib/identities/contract';
import { enableIdentity } from '@/lib/identities/service';

export const POST = endpoint(contract, async ({ user, params, body, request }) => {
  await enableIdentity(user, params.provider, body, clientOf(request.headers));
  return {};
});
