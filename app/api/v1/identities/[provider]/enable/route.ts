import * as contract from '@/lib/account/providers/contract';
import { enableIdentity } from '@/lib/account/providers/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.enableIdentity, ({ user, params, body, client }) =>
  enableIdentity(user, params.provider, body, client),
);
