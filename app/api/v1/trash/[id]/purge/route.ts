import { endpoint } from '@/lib/api/endpoint';
import { purgeEntry as contract } from '@/lib/entries/contract';
import { purgeEntry } from '@/lib/entries/trash';

export const POST = endpoint(contract, async ({ user, params }) => {
  await purgeEntry(user.id, params.id);
  return {};
});
