import * as contract from '@/lib/account/providers/contract';
import { unlinkAccount } from '@/lib/account/providers/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.disconnectIdentity, ({ user, params, body, client }) =>
  unlinkAccount(user, params.provider, body, client),
);
