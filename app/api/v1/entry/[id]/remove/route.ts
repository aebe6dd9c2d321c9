import { endpoint } from '@/lib/api/endpoint';
import { removeEntry as contract } from '@/lib/journal/entries/contract';
import { removeEntry } from '@/lib/journal/entries/trash';

export const POST = endpoint(contract, async ({ user, params }) => {
  await removeEntry(user.id, params.id);
  return {};
});
