import { endpoint } from '@/lib/api/endpoint';
import { planAllowed } from '@/lib/plans/contract';
import { canUpload } from '@/lib/plans/service';

export const GET = endpoint(planAllowed, async ({ user }) => ({
  accountCanUpload: await canUpload(user.id),
}));
