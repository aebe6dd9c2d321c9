import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/bulk/contract';
import { undoDates } from '@/lib/journal/bulk/service';

export const POST = endpoint(contract.undoDates, async ({ user, body: { dates } }) => {
  await undoDates(user.id, dates);
  return { entries: dates.map(({ id }) => id) };
});
