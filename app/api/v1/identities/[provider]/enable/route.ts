import * as contract from '@/lib/account/providers/contract';
import { enableLinkedAccount } from '@/lib/account/providers/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.enableIdentity, ({ user, params, body, client }) =>
  enableLinkedAccount(user, params.provider, body, client),
);
