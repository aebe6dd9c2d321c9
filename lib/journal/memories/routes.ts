import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const hideMemory: Route<typeof contract.hideMemory> = { method: 'POST', path: '/memories/hidden' };

export const showMemory: Route<typeof contract.unhideMemory> = {
  method: 'DELETE',
  path: '/memories/hidden/:id',
};
