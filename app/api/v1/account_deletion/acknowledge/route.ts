import { endpoint } from '@/lib/api/endpoint';
import { acknowledgeDeletion as contract } from '@/lib/deletions/contract';
import { acknowledgeDeletion } from '@/lib/deletions/service';

export const POST = endpoint(contract, async ({ user }) => {
  await acknowledgeDeletion(user);
  return {};
});
