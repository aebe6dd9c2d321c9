import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const listTags: Route<typeof contract.listTags> = { method: 'GET', path: '/category' };

export const createTag: Route<typeof contract.createTag> = { method: 'POST', path: '/category' };

export const deleteTag: Route<typeof contract.deleteTag> = { method: 'DELETE', path: '/category/:id' };

export const restoreTag: Route<typeof contract.restoreTag> = {
  method: 'POST',
  path: '/category/:id/restore',
};

export const updateTags: Route<typeof contract.updateTags> = { method: 'POST', path: '/bulk/category' };

export const mergeTag: Route<typeof contract.mergeTag> = { method: 'POST', path: '/category/:id/merge' };

export const setEntryTags: Route<typeof contract.setEntryTags> = {
  method: 'POST',
  path: '/entry/:id/categories',
};
