import * as contract from '@/lib/account/security/contract';
import { confirmEmailChange } from '@/lib/account/security/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.confirmEmailChange, ({ user, params }) =>
  confirmEmailChange(user, params.uid, params.token),
);
