import * as contract from '@/lib/account/passkeys/contract';
import { presentPasskey } from '@/lib/account/passkeys/present';
import { enablePasskey } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.enablePasskey, async ({ user, params, body, request }) =>
  presentPasskey(await enablePasskey(user, params.id, body, clientOf(request.headers))),
);
