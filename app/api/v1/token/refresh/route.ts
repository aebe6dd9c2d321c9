import { endpoint } from '@/lib/api/endpoint';
import { AppError } from '@/lib/contract/errors';
import { refreshSession } from '@/lib/sessions/contract';
import { clearSessionCookies, readSessionCookies, setSessionCookies } from '@/lib/sessions/cookies';
import { rotateSession } from '@/lib/sessions/service';

export const POST = endpoint(refreshSession, async () => {
  const { refresh } = await readSessionCookies();
  const tokens = refresh ? await rotateSession(refresh) : null;
  if (!tokens) {
    await clearSessionCookies();
    throw new AppError('unauthenticated');
  }
  await setSessionCookies(tokens);
  return { access: tokens.accessExpiresAt.toISOString() };
});
