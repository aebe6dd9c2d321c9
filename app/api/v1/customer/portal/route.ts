import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/billing/subscriptions/contract';
import { customerPortal } from '@/lib/billing/subscriptions/service';

export const GET = endpoint(contract.customerPortal, async ({ user }) => ({
  customerPortalUrl: await customerPortal(user),
}));
