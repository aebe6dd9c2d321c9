import { endpoint } from '@/lib/api/endpoint';
import { cancelDeletion as contract } from '@/lib/deletions/contract';
import { cancelDeletion } from '@/lib/deletions/service';

export const POST = endpoint(contract, async ({ user }) => {
  await cancelDeletion(user);
  return {};
});
