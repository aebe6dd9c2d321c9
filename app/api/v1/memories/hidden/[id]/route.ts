import { endpoint } from '@/lib/api/endpoint';
import { unhideMemory as contract } from '@/lib/journal/memories/contract';
import { unhideMemory } from '@/lib/journal/memories/service';

export const DELETE = endpoint(contract, async ({ user, params }) => {
  await unhideMemory(user.id, params.id);
  return {};
});
