import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/bulk/contract';
import { undoTags } from '@/lib/journal/bulk/service';

export const POST = endpoint(contract.undoTags, async ({ user, body }) => ({
  entries: await undoTags(user.id, body),
}));
