import * as contract from '@/lib/account/security/contract';
import { assertStepUp } from '@/lib/account/security/step-up';
import { setUpTwoFactor } from '@/lib/account/security/two-factor';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.setUpTwoFactor, async ({ user, body, request }) => {
  await assertStepUp(user, body, clientOf(request.headers));
  return setUpTwoFactor(user);
});
