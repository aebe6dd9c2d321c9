import * as contract from '@/lib/account/passkeys/contract';
import { presentPasskey } from '@/lib/account/passkeys/present';
import { enablePasskey } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.enablePasskey, async ({ user, params, body, client }) =>
  presentPasskey(await enablePasskey(user, params.id, body, client)),
);
