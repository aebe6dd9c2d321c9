import { endpoint } from '@/lib/api/endpoint';
import { deleteTag as contract } from '@/lib/journal/tags/contract';
import { deleteTag } from '@/lib/journal/tags/deletion';

export const DELETE = endpoint(contract, async ({ user, params }) => {
  await deleteTag(user.id, params.id);
  return {};
});
