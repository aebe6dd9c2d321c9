import { endpoint } from '@/lib/api/endpoint';
import { undoDates as contract } from '@/lib/bulk/contract';
import { undoDates } from '@/lib/bulk/dates';

export const POST = endpoint(contract, async ({ user, body: { dates } }) => {
  await undoDates(user.id, dates);
  return { entries: dates.map(({ id }) => id) };
});
