import { endpoint } from '@/lib/api/endpoint';
import { deleteTag as contract } from '@/lib/tags/contract';
import { deleteTag } from '@/lib/tags/deletion';

export const DELETE = endpoint(contract, async ({ user, params }) => {
  await deleteTag(user.id, params.id);
  return {};
});
