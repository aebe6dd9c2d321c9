import { endpoint } from '@/lib/http/endpoint';
import { updateTags as contract } from '@/lib/tags/contract';
import { updateTags } from '@/lib/tags/service';

export const POST = endpoint(contract, ({ user, body }) => updateTags(user.id, body.categories));
