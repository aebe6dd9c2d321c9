import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/bulk/contract';
import { changeDates } from '@/lib/journal/bulk/service';

export const POST = endpoint(contract.changeDates, async ({ user, body: { entries, ...to } }) => ({
  dates: await changeDates(user.id, entries, to),
}));
