import { endpoint } from '@/lib/api/endpoint';
import { planDetails as contract } from '@/lib/billing/plans/contract';
import { planDetails } from '@/lib/billing/plans/service';

export const GET = endpoint(contract, ({ user }) => planDetails(user.id));
