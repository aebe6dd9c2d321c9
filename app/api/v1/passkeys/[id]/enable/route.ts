import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { enablePasskey as contract } from '@/lib/passkeys/contract';
import { presentPasskey } from '@/lib/passkeys/present';
import { enablePasskey } from '@/lib/passkeys/service';

export const POST = endpoint(contract, async ({ user, params, body, request }) =>
  presentPasskey(await enablePasskey(user, params.id, body, clientOf(request.headers))),
);
