import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { setUpTwoFactor as contract } from '@/lib/security/contract';
import { assertStepUp } from '@/lib/security/step-up';
import { setUpTwoFactor } from '@/lib/security/two-factor';

export const POST = endpoint(contract, async ({ user, body, request }) => {
  await assertStepUp(user, body, clientOf(request.headers));
  return setUpTwoFactor(user);
});
