import { purgeEntry as contract } from '@/lib/entries/contract';
import { purgeEntry } from '@/lib/entries/trash';
import { endpoint } from '@/lib/http/endpoint';

export const POST = endpoint(contract, async ({ user, params }) => {
  await purgeEntry(user.id, params.id);
  return {};
});
