import { endpoint } from '@/lib/api/endpoint';
import { removeEntries as contract } from '@/lib/journal/bulk/contract';
import { removeEntries } from '@/lib/journal/entries/trash';

export const POST = endpoint(contract, async ({ user, body }) => {
  await removeEntries(user.id, body.entries);
  return body;
});
