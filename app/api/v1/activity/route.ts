import { endpoint } from '@/lib/api/endpoint';
import { listActivity } from '@/lib/audit/contract';
import { presentEvent } from '@/lib/audit/present';
import { recentActivity } from '@/lib/audit/service';

export const GET = endpoint(listActivity, async ({ user }) => ({
  events: (await recentActivity(user.id, 100)).map(presentEvent),
}));
