import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/billing/plans/contract';
import { canUpload } from '@/lib/billing/plans/service';

export const GET = endpoint(contract.planAllowed, async ({ user }) => ({
  accountCanUpload: await canUpload(user.id),
}));
