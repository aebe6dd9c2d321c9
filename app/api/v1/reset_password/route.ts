import * as contract from '@/lib/account/registration/contract';
import { allowReset, requestReset } from '@/lib/account/registration/service';
import { endpoint } from '@/lib/api/endpoint';
import { afterResponse } from '@/lib/foundation/request-scope';

export const POST = endpoint(contract.requestReset, async ({ body, client }) => {
  await allowReset(body.email, client);
  afterResponse(() => requestReset(body.email));
});
