import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/timeline/contract';
import { getTimeline } from '@/lib/journal/timeline/service';

export const GET = endpoint(contract.listTimeline, ({ user, query }) => getTimeline(user.id, query));
