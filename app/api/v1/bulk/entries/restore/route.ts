import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/bulk/contract';
import { restoreEntries } from '@/lib/journal/entries/trash';

export const POST = endpoint(contract.restoreEntries, async ({ user, body }) => {
  await restoreEntries(user.id, body.entries);
  return body;
});
