import * as contract from '@/lib/account/setup/contract';
import { checkSetupCode } from '@/lib/account/setup/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.checkSetupCode, async ({ body, request }) => {
  await checkSetupCode(body.code, clientOf(request.headers));
  return {};
});
