import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const passkeySignInOptions: Route<typeof contract.passkeySignInOptions> = {
  method: 'POST',
  path: '/login/passkey/options',
};

export const signInWithPasskey: Route<typeof contract.signInWithPasskey> = {
  method: 'POST',
  path: '/login/passkey',
};

export const passkeyOptions: Route<typeof contract.passkeyOptions> = {
  method: 'POST',
  path: '/passkeys/options',
};

export const addPasskey: Route<typeof contract.addPasskey> = { method: 'POST', path: '/passkeys' };

export const renamePasskey: Route<typeof contract.renamePasskey> = { method: 'POST', path: '/passkeys/:id' };

export const removePasskey: Route<typeof contract.removePasskey> = {
  method: 'POST',
  path: '/passkeys/:id/remove',
};

export const enablePasskey: Route<typeof contract.enablePasskey> = {
  method: 'POST',
  path: '/passkeys/:id/enable',
};
