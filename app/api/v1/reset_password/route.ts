import * as contract from '@/lib/account/registration/contract';
import { allowReset, requestReset } from '@/lib/account/registration/service';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';
import { afterResponse } from '@/lib/foundation/request-scope';

export const POST = endpoint(contract.requestReset, async ({ body, request }) => {
  await allowReset(body.email, clientOf(request.headers));
  afterResponse(() => requestReset(body.email));
  return {};
});
