import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const connectIdentity: Route<typeof contract.connectIdentity> = {
  method: 'POST',
  path: '/identities/:provider/connect',
};

export const disconnectIdentity: Route<typeof contract.disconnectIdentity> = {
  method: 'POST',
  path: '/identities/:provider/disconnect',
};

export const enableIdentity: Route<typeof contract.enableIdentity> = {
  method: 'POST',
  path: '/identities/:provider/enable',
};

export const signInWithCode: Route<typeof contract.signInWithCode> = { method: 'POST', path: '/login/code' };
