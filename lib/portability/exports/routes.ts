import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const createExport: Route<typeof contract.createExport> = { method: 'POST', path: '/exports' };

export const getExport: Route<typeof contract.getExport> = { method: 'GET', path: '/exports/:id' };

export const retryExport: Route<typeof contract.retryExport> = {
  method: 'POST',
  path: '/exports/:id/retry',
};

export const deleteExport: Route<typeof contract.deleteExport> = { method: 'DELETE', path: '/exports/:id' };
