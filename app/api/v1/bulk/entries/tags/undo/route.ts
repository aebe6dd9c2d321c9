import { endpoint } from '@/lib/api/endpoint';
import { undoTags as contract } from '@/lib/bulk/contract';
import { undoTags } from '@/lib/bulk/tags';

export const POST = endpoint(contract, async ({ user, body }) => ({
  entries: await undoTags(user.id, body),
}));
