import { endpoint } from '@/lib/api/endpoint';
import { dashboardDetails } from '@/lib/journal/entries/contract';
import { dashboard } from '@/lib/journal/entries/dashboard';

export const GET = endpoint(dashboardDetails, ({ user }) => dashboard(user.id));
