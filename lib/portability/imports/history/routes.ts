import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const createImport: Route<typeof contract.createImport> = { method: 'POST', path: '/imports' };

export const undoImport: Route<typeof contract.undoImport> = { method: 'POST', path: '/imports/:id/undo' };
