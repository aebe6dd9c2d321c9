import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const logout: Route<typeof contract.logout> = { method: 'GET', path: '/logout' };

export const revokeSession: Route<typeof contract.revokeSession> = {
  method: 'POST',
  path: '/sessions/:id/revoke',
};

export const revokeOtherSessions: Route<typeof contract.revokeOtherSessions> = {
  method: 'POST',
  path: '/sessions/revoke_others',
};
