import { endpoint } from '@/lib/api/endpoint';
import { acknowledgeDeletion as contract } from '@/lib/account/deletion/contract';
import { acknowledgeDeletion } from '@/lib/account/deletion/service';

export const POST = endpoint(contract, async ({ user }) => {
  await acknowledgeDeletion(user);
  return {};
});
