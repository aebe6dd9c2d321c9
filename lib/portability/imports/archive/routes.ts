import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const checkImport: Route<typeof contract.checkImport> = { method: 'POST', path: '/imports/check' };

export const importJournal: Route<typeof contract.importJournal> = {
  method: 'POST',
  path: '/imports/journal',
};

export const importEntry: Route<typeof contract.importEntry> = { method: 'POST', path: '/imports/entries' };

export const importRevision: Route<typeof contract.importRevision> = {
  method: 'POST',
  path: '/imports/entries/:id/revisions',
};
