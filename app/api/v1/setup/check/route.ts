import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { checkSetupCode as contract } from '@/lib/setup/contract';
import { checkSetupCode } from '@/lib/setup/service';

export const POST = endpoint(contract, async ({ body, request }) => {
  await checkSetupCode(body.code, clientOf(request.headers));
  return {};
});
