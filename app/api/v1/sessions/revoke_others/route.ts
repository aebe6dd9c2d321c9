import { endpoint } from '@/lib/api/endpoint';
import { revokeOtherSessions } from '@/lib/account/sessions/contract';
import { endOtherSessions } from '@/lib/account/sessions/service';

export const POST = endpoint(revokeOtherSessions, async ({ user }) => {
  await endOtherSessions(user.id, user.sessionId);
  return {};
});
