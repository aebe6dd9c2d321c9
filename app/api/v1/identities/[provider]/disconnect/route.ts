import * as contract from '@/lib/account/providers/contract';
import { disconnectProvider } from '@/lib/account/providers/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.disconnectIdentity, async ({ user, params, body, request }) => {
  await disconnectProvider(user, params.provider, body, clientOf(request.headers));
  return {};
});
