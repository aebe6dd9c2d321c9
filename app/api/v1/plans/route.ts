import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/billing/plans/contract';
import { listPlans } from '@/lib/billing/plans/service';

export const GET = endpoint(contract.listPlans, ({ user }) => listPlans(user.id));
