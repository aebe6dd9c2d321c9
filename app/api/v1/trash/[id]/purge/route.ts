import { endpoint } from '@/lib/api/endpoint';
import { purgeEntry as contract } from '@/lib/journal/entries/contract';
import { purgeEntry } from '@/lib/journal/entries/trash';

export const POST = endpoint(contract, async ({ user, params }) => {
  await purgeEntry(user.id, params.id);
  return {};
});
