import { removeEntry as contract } from '@/lib/entries/contract';
import { removeEntry } from '@/lib/entries/service';
import { endpoint } from '@/lib/http/endpoint';

export const POST = endpoint(contract, async ({ user, params }) => {
  await removeEntry(user.id, params.id);
  return {};
});
