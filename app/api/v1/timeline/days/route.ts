import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/timeline/contract';
import { getTimelineDays } from '@/lib/journal/timeline/service';

export const GET = endpoint(contract.listTimelineDays, ({ user, query: { year, ...filter } }) =>
  getTimelineDays(user.id, year, filter),
);
