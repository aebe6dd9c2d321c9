import { endpoint } from '@/lib/api/endpoint';
import { mergeTag as contract } from '@/lib/journal/tags/contract';
import { mergeTag } from '@/lib/journal/tags/service';

export const POST = endpoint(contract, ({ user, params, body }) => mergeTag(user.id, params.id, body.into));
