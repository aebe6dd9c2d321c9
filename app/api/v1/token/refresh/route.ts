import { clearSessionCookies, readSessionCookies, setSessionCookies } from '@/lib/http/cookies';
import { endpoint } from '@/lib/http/endpoint';
import { AppError } from '@/lib/http/errors';
import { refreshSession } from '@/lib/sessions/contract';
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
