import { customerPortal as contract } from '@/lib/billing/contract';
import { customerPortal } from '@/lib/billing/service';
import { endpoint } from '@/lib/http/endpoint';

export const GET = endpoint(contract, async ({ user }) => ({
  customerPortalUrl: await customerPortal(user),
}));
