import type { Route } from '@/lib/contract/client';
import type * as contract from './contract';

export const search: Route<typeof contract.search> = { method: 'GET', path: '/search' };
