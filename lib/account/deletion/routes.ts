import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const requestDeletion: Route<typeof contract.requestDeletion> = {
  method: 'POST',
  path: '/account_deletion',
};

export const cancelDeletion: Route<typeof contract.cancelDeletion> = {
  method: 'POST',
  path: '/account_deletion/cancel',
};

export const acknowledgeDeletion: Route<typeof contract.acknowledgeDeletion> = {
  method: 'POST',
  path: '/account_deletion/acknowledge',
};
