import { endpoint } from '@/lib/api/endpoint';
import { listPlans as contract } from '@/lib/billing/plans/contract';
import { listPlans } from '@/lib/billing/plans/service';

export const GET = endpoint(contract, ({ user }) => listPlans(user.id));
