import * as contract from '@/lib/account/providers/contract';
import { enableIdentity } from '@/lib/account/providers/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.enableIdentity, async ({ user, params, body, request }) => {
  await enableIdentity(user, params.provider, body, clientOf(request.headers));
  return {};
});
