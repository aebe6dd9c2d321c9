import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const listRange: Route<typeof contract.listRange> = { method: 'GET', path: '/bulk/entries/range' };

export const removeEntries: Route<typeof contract.removeEntries> = {
  method: 'POST',
  path: '/bulk/entries/remove',
};

export const previewRemoval: Route<typeof contract.previewRemoval> = {
  method: 'POST',
  path: '/bulk/entries/remove/preview',
};

export const restoreEntries: Route<typeof contract.restoreEntries> = {
  method: 'POST',
  path: '/bulk/entries/restore',
};

export const changeDates: Route<typeof contract.changeDates> = { method: 'POST', path: '/bulk/entries/date' };

export const undoDates: Route<typeof contract.undoDates> = {
  method: 'POST',
  path: '/bulk/entries/date/undo',
};

export const changeTags: Route<typeof contract.changeTags> = { method: 'POST', path: '/bulk/entries/tags' };

export const undoTags: Route<typeof contract.undoTags> = { method: 'POST', path: '/bulk/entries/tags/undo' };
