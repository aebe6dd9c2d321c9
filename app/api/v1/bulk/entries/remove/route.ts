import { endpoint } from '@/lib/api/endpoint';
import { removeEntries as contract } from '@/lib/bulk/contract';
import { removeEntries } from '@/lib/entries/trash';

export const POST = endpoint(contract, async ({ user, body }) => {
  await removeEntries(user.id, body.entries);
  return body;
});
