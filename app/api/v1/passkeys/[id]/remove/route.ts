import * as contract from '@/lib/account/passkeys/contract';
import { removePasskey } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.removePasskey, ({ user, params, body, client }) =>
  removePasskey(user, params.id, body, client),
);
