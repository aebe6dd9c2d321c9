import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { disconnectIdentity } from '@/lib/identities/contract';
import { disconnectProvider } from '@/lib/identities/service';

export const POST = endpoint(disconnectIdentity, async ({ user, params, body, request }) => {
  await disconnectProvider(user, params.provider, body, clientOf(request.headers));
  return {};
});
