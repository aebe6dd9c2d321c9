import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const listDownloads: Route<typeof contract.listDownloads> = {
  method: 'GET',
  path: '/entry/:id/downloads',
};
