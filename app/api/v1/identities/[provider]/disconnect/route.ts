import * as contract from '@/lib/account/providers/contract';
import { disconnectProvider } from '@/lib/account/providers/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.disconnectIdentity, ({ user, params, body, client }) =>
  disconnectProvider(user, params.provider, body, client),
);
