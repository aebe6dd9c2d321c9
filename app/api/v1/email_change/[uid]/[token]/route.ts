import { endpoint } from '@/lib/http/endpoint';
import { confirmEmailChange as contract } from '@/lib/security/contract';
import { confirmEmailChange } from '@/lib/security/service';

export const POST = endpoint(contract, async ({ params }) => {
  await confirmEmailChange(params.uid, params.token);
  return {};
});
