import * as contract from '@/lib/account/passkeys/contract';
import { removePasskey } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.removePasskey, async ({ user, params, body, request }) => {
  await removePasskey(user, params.id, body, clientOf(request.headers));
  return {};
});
