import { endpoint } from '@/lib/api/endpoint';
import { updateTags as contract } from '@/lib/tags/contract';
import { updateTags } from '@/lib/tags/service';

export const POST = endpoint(contract, ({ user, body }) => updateTags(user.id, body.categories));
