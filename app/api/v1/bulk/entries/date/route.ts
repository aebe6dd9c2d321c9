import { endpoint } from '@/lib/api/endpoint';
import { changeDates as contract } from '@/lib/journal/bulk/contract';
import { changeDates } from '@/lib/journal/bulk/dates';

export const POST = endpoint(contract, async ({ user, body: { entries, ...to } }) => ({
  dates: await changeDates(user.id, entries, to),
}));
