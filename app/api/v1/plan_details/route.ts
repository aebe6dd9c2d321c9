import { endpoint } from '@/lib/api/endpoint';
import { planDetails as contract } from '@/lib/plans/contract';
import { planDetails } from '@/lib/plans/service';

export const GET = endpoint(contract, ({ user }) => planDetails(user.id));
