import { dashboardDetails } from '@/lib/entries/contract';
import { dashboard } from '@/lib/entries/dashboard';
import { endpoint } from '@/lib/http/endpoint';

export const GET = endpoint(dashboardDetails, ({ user }) => dashboard(user.id));
