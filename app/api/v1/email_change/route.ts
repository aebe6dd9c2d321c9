import * as contract from '@/lib/account/security/contract';
import { requestEmailChange } from '@/lib/account/security/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.requestEmailChange, async ({ user, body, request }) => {
  await requestEmailChange(user, body, clientOf(request.headers));
  return {};
});
