import * as contract from '@/lib/account/activity/contract';
import { presentEvent, recentActivity } from '@/lib/account/activity/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.listActivity, async ({ user }) => ({
  events: (await recentActivity(user.id, 100)).map(presentEvent),
}));
