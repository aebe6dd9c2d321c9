import * as contract from '@/lib/account/providers/contract';
import { setSealedCookie } from '@/lib/account/providers/cookies';
import { providerNames } from '@/lib/account/providers/providers';
import { assertStepUp } from '@/lib/account/security/step-up';
import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/foundation/contract/errors';

export const POST = endpoint(
  contract.connectIdentity,
  async ({ user, params: { provider }, body, client }) => {
    if (!providerNames().includes(provider)) throw new AppError('not_found');
    await assertStepUp(user, body, client);
    await setSealedCookie('connecting', { userId: user.id, sessionId: user.sessionId, provider });
  },
);
