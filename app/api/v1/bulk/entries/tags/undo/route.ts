import { endpoint } from '@/lib/api/endpoint';
import { undoTags as contract } from '@/lib/journal/bulk/contract';
import { undoTags } from '@/lib/journal/bulk/tags';

export const POST = endpoint(contract, async ({ user, body }) => ({
  entries: await undoTags(user.id, body),
}));
