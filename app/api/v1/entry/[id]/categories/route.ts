import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/tags/contract';
import { setEntryTags } from '@/lib/journal/tags/service';

export const POST = endpoint(contract.setEntryTags, async ({ user, params, body }) => ({
  tags: await setEntryTags(user.id, params.id, body.categories),
}));
