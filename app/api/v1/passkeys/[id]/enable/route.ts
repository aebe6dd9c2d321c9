import * as contract from '@/lib/account/passkeys/contract';
import { enablePasskey } from '@/lib/account/passkeys/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.enablePasskey, ({ user, params, body, client }) =>
  enablePasskey(user, params.id, body, client),
);
