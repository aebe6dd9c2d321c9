import * as contract from '@/lib/account/security/contract';
import { rejectEmailChange } from '@/lib/account/security/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.rejectEmailChange, ({ params }) =>
  rejectEmailChange(params.uid, params.token),
);
