import { endpoint } from '@/lib/api/endpoint';
import { listPlans as contract } from '@/lib/plans/contract';
import { listPlans } from '@/lib/plans/service';

export const GET = endpoint(contract, ({ user }) => listPlans(user.id));
