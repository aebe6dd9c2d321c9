import { endpoint } from '@/lib/api/endpoint';
import { planAllowed } from '@/lib/billing/plans/contract';
import { canUpload } from '@/lib/billing/plans/service';

export const GET = endpoint(planAllowed, async ({ user }) => ({
  accountCanUpload: await canUpload(user.id),
}));
