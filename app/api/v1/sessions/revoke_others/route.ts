import { revokeOtherSessions } from '@/lib/account/sessions/contract';
import { endOtherSessions } from '@/lib/account/sessions/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(revokeOtherSessions, async ({ user }) => {
  await endOtherSessions(user.id, user.sessionId);
  return {};
});
