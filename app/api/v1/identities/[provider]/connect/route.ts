import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/contract/errors';
import { clientOf } from '@/lib/http/client-address';
import { connectIdentity } from '@/lib/identities/contract';
import { setSealedCookie } from '@/lib/identities/cookies';
import { providerNames } from '@/lib/identities/providers';
import { assertStepUp } from '@/lib/security/step-up';

export const POST = endpoint(connectIdentity, async ({ user, params: { provider }, body, request }) => {
  if (!providerNames().includes(provider)) throw new AppError('not_found');
  await assertStepUp(user, body, clientOf(request.headers));
  await setSealedCookie('connecting', { userId: user.id, sessionId: user.sessionId, provider });
  return {};
});
