import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const listTimeline: Route<typeof contract.listTimeline> = { method: 'GET', path: '/timeline' };

export const listTimelineDays: Route<typeof contract.listTimelineDays> = {
  method: 'GET',
  path: '/timeline/days',
};
