import * as contract from '@/lib/account/security/contract';
import { requestEmailChange } from '@/lib/account/security/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.requestEmailChange, ({ user, body, client }) =>
  requestEmailChange(user, body, client),
);
