import * as contract from '@/lib/account/security/contract';
import { enableTwoFactor } from '@/lib/account/two-factor/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.enableTwoFactor, async ({ user, body, client }) => ({
  recoveryCodes: await enableTwoFactor(user.id, body.code, client),
}));
