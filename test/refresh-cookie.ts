import { refreshSession } from '@/lib/account/sessions/contract';
import { rotateSession, whySessionIsOver } from '@/lib/account/sessions/service';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Operations } from './browser';

/** A browser's refresh cookie, and the operation that renews it, as its route does. */
export function createRefreshCookie(value?: string) {
  const cookie = { value };
  const operation: Operations[number] = [
    refreshSession,
    async () => {
      const tokens = cookie.value ? await rotateSession(cookie.value) : null;
      if (!tokens) {
        const session = await whySessionIsOver(cookie.value);
        throw new AppError('unauthenticated', { fields: { session } });
      }
      cookie.value = tokens.refresh;
      return { access: tokens.accessExpiresAt.toISOString() };
    },
  ];
  return { cookie, operation };
}
