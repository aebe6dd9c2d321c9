import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const getEntry: Route<typeof contract.getEntry> = { method: 'GET', path: '/entry/:id' };

export const updateEntry: Route<typeof contract.updateEntry> = { method: 'POST', path: '/entry/:id' };

export const removeEntry: Route<typeof contract.removeEntry> = { method: 'POST', path: '/entry/:id/remove' };

export const retryVideo: Route<typeof contract.retryVideo> = {
  method: 'POST',
  path: '/entry/:id/video/retry',
};

export const restoreEntry: Route<typeof contract.restoreEntry> = {
  method: 'POST',
  path: '/trash/:id/restore',
};

export const purgeEntry: Route<typeof contract.purgeEntry> = { method: 'POST', path: '/trash/:id/purge' };
