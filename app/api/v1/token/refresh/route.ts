import * as contract from '@/lib/account/sessions/contract';
import { clearSessionCookies, readSessionCookies, setSessionCookies } from '@/lib/account/sessions/cookies';
import { rotateSession, whySessionIsOver } from '@/lib/account/sessions/service';
import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/foundation/contract/errors';

export const POST = endpoint(contract.refreshSession, async () => {
  const { refresh } = await readSessionCookies();
  const tokens = refresh ? await rotateSession(refresh) : null;
  if (!tokens) {
    const session = await whySessionIsOver(refresh);
    // The cookie of one that was ended stays, so that each tab and worker of the browser hears that.
    if (session === 'expired') await clearSessionCookies();
    throw new AppError('unauthenticated', { fields: { session } });
  }
  await setSessionCookies(tokens);
  return { access: tokens.accessExpiresAt.toISOString() };
});
