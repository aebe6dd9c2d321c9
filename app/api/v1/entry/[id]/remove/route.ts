import { endpoint } from '@/lib/api/endpoint';
import { removeEntry as contract } from '@/lib/entries/contract';
import { removeEntry } from '@/lib/entries/trash';

export const POST = endpoint(contract, async ({ user, params }) => {
  await removeEntry(user.id, params.id);
  return {};
});
