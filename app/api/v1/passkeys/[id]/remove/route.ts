import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { removePasskey as contract } from '@/lib/passkeys/contract';
import { removePasskey } from '@/lib/passkeys/service';

export const POST = endpoint(contract, async ({ user, params, body, request }) => {
  await removePasskey(user, params.id, body, clientOf(request.headers));
  return {};
});
