import { clientOf } from '@/lib/http/client-address';
import { endpoint } from '@/lib/http/endpoint';
import { requestEmailChange as contract } from '@/lib/security/contract';
import { requestEmailChange } from '@/lib/security/service';

export const POST = endpoint(contract, async ({ user, body, request }) => {
  await requestEmailChange(user, body, clientOf(request.headers));
  return {};
});
