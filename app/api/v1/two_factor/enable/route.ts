import { endpoint } from '@/lib/api/endpoint';
import { clientOf } from '@/lib/http/client-address';
import { enableTwoFactor as contract } from '@/lib/security/contract';
import { enableTwoFactor } from '@/lib/security/two-factor';

export const POST = endpoint(contract, async ({ user, body, request }) => ({
  recoveryCodes: await enableTwoFactor(user.id, body.code, clientOf(request.headers)),
}));
