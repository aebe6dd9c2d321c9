import { endpoint } from '@/lib/api/endpoint';
import { customerPortal as contract } from '@/lib/billing/contract';
import { customerPortal } from '@/lib/billing/service';

export const GET = endpoint(contract, async ({ user }) => ({
  customerPortalUrl: await customerPortal(user),
}));
