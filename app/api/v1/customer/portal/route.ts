import { endpoint } from '@/lib/api/endpoint';
import { customerPortal as contract } from '@/lib/billing/subscriptions/contract';
import { customerPortal } from '@/lib/billing/subscriptions/service';

export const GET = endpoint(contract, async ({ user }) => ({
  customerPortalUrl: await customerPortal(user),
}));
