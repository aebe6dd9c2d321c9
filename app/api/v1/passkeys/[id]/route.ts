import { endpoint } from '@/lib/api/endpoint';
import { renamePasskey as contract } from '@/lib/account/passkeys/contract';
import { presentPasskey } from '@/lib/account/passkeys/present';
import { renamePasskey } from '@/lib/account/passkeys/service';

export const POST = endpoint(contract, async ({ user, params, body }) =>
  presentPasskey(await renamePasskey(user.id, params.id, body.name)),
);
