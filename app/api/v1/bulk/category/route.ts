import { endpoint } from '@/lib/api/endpoint';
import { updateTags as contract } from '@/lib/journal/tags/contract';
import { updateTags } from '@/lib/journal/tags/service';

export const POST = endpoint(contract, ({ user, body }) => updateTags(user.id, body.categories));
