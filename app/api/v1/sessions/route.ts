import { endpoint } from '@/lib/api/endpoint';
import { listSessions as contract } from '@/lib/sessions/contract';
import { presentSession } from '@/lib/sessions/present';
import { listSessions } from '@/lib/sessions/service';

export const GET = endpoint(contract, async ({ user }) => ({
  sessions: (await listSessions(user.id, user.sessionId)).map(presentSession),
}));
