import * as contract from '@/lib/account/providers/contract';
import { setSealedCookie } from '@/lib/account/providers/cookies';
import { providerNames } from '@/lib/account/providers/providers';
import { assertStepUp } from '@/lib/account/security/step-up';
import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/foundation/contract/errors';
import { clientOf } from '@/lib/foundation/http/client-address';

export const POST = endpoint(
  contract.connectIdentity,
  async ({ user, params: { provider }, body, request }) => {
    if (!providerNames().includes(provider)) throw new AppError('not_found');
    await assertStepUp(user, body, clientOf(request.headers));
    await setSealedCookie('connecting', { userId: user.id, sessionId: user.sessionId, provider });
    return {};
  },
);
