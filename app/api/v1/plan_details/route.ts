import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/billing/plans/contract';
import { planDetails } from '@/lib/billing/plans/service';

export const GET = endpoint(contract.planDetails, ({ user }) => planDetails(user.id));
