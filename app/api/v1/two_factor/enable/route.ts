import * as contract from '@/lib/account/security/contract';
import { enableTwoFactor } from '@/lib/account/security/two-factor';
import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(contract.enableTwoFactor, async ({ user, body, request }) => ({
  recoveryCodes: await enableTwoFactor(user.id, body.code, clientOf(request.headers)),
}));
