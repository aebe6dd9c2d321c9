import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/entries/contract';
import { dashboard } from '@/lib/journal/entries/dashboard';

export const GET = endpoint(contract.dashboardDetails, ({ user }) => dashboard(user.id));
