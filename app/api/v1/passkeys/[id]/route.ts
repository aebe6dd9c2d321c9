import * as contract from '@/lib/account/passkeys/contract';
import { renamePasskey } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.renamePasskey, ({ user, params, body }) =>
  renamePasskey(user.id, params.id, body.name),
);
