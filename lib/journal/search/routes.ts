import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const search: Route<typeof contract.search> = { method: 'GET', path: '/search' };
export const summarizeSearch: Route<typeof contract.summarizeSearch> = {
  method: 'GET',
  path: '/search/summary',
};
