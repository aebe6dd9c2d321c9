import { endpoint } from '@/lib/api/endpoint';
import { confirmEmailChange as contract } from '@/lib/security/contract';
import { confirmEmailChange } from '@/lib/security/service';

export const POST = endpoint(contract, async ({ user, params }) => {
  await confirmEmailChange(user, params.uid, params.token);
  return {};
});
