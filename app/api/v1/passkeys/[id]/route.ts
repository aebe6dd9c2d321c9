import * as contract from '@/lib/account/passkeys/contract';
import { presentPasskey } from '@/lib/account/passkeys/present';
import { renamePasskey } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.renamePasskey, async ({ user, params, body }) =>
  presentPasskey(await renamePasskey(user.id, params.id, body.name)),
);
