import * as contract from '@/lib/account/sessions/contract';
import { listSessions } from '@/lib/account/sessions/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.listSessions, async ({ user }) => ({
  sessions: await listSessions(user.id, user.sessionId),
}));
