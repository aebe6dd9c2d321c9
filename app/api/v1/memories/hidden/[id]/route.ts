import { endpoint } from '@/lib/api/endpoint';
import { showMemory as contract } from '@/lib/memories/contract';
import { showMemory } from '@/lib/memories/service';

export const DELETE = endpoint(contract, async ({ user, params }) => {
  await showMemory(user.id, params.id);
  return {};
});
