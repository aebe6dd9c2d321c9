import { requestReset as contract } from '@/lib/accounts/contract';
import { allowReset, requestReset } from '@/lib/accounts/service';
import { afterAnswer } from '@/lib/api/after-answer';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';

export const POST = endpoint(contract, async ({ body, request }) => {
  await allowReset(body.email, clientOf(request.headers));
  afterAnswer('a reset mail', () => requestReset(body.email));
  return {};
});
