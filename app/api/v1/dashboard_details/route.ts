import { endpoint } from '@/lib/api/endpoint';
import { dashboardDetails } from '@/lib/entries/contract';
import { dashboard } from '@/lib/entries/dashboard';

export const GET = endpoint(dashboardDetails, ({ user }) => dashboard(user.id));
