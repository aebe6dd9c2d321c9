import { endpoint } from '@/lib/http/endpoint';
import { confirmEmailChange as contract } from '@/lib/security/contract';
import { confirmEmailChange } from '@/lib/security/service';

export const POST = endpoint(contract, async ({ user, params }) => {
  await confirmEmailChange(user, params.uid, params.token);
  return {};
});
