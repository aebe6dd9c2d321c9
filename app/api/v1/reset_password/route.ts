import { requestReset as contract } from '@/lib/accounts/contract';
import { allowReset, requestReset } from '@/lib/accounts/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { afterResponse } from '@/lib/request-scope';

export const POST = endpoint(contract, async ({ body, request }) => {
  await allowReset(body.email, clientOf(request.headers));
  afterResponse(() => requestReset(body.email));
  return {};
});
