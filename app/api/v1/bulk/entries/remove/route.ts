import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/bulk/contract';
import { removeEntries } from '@/lib/journal/entries/trash';

export const POST = endpoint(contract.removeEntries, async ({ user, body }) => {
  await removeEntries(user.id, body.entries);
  return body;
});
