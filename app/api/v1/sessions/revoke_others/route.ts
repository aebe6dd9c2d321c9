import * as contract from '@/lib/account/sessions/contract';
import { endOtherSessions } from '@/lib/account/sessions/service';
import { endpoint } from '@/lib/api/endpoint';

export const POST = endpoint(contract.revokeOtherSessions, ({ user }) =>
  endOtherSessions(user.id, user.sessionId),
);
