import * as contract from '@/lib/account/security/contract';
import { assertStepUp } from '@/lib/account/security/step-up';
import { renewRecoveryCodes } from '@/lib/account/two-factor/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.renewRecoveryCodes, async ({ user, body, client }) => {
  await assertStepUp(user, body, client);
  return { recoveryCodes: await renewRecoveryCodes(user.id) };
});
