import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/tags/contract';
import { updateTags } from '@/lib/journal/tags/service';

export const POST = endpoint(contract.updateTags, ({ user, body }) => updateTags(user.id, body.categories));
