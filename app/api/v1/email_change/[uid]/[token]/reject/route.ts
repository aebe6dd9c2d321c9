import * as contract from '@/lib/account/security/contract';
import { rejectEmailChange } from '@/lib/account/security/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.rejectEmailChange, async ({ params }) => {
  await rejectEmailChange(params.uid, params.token);
  return {};
});
