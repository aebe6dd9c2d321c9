import { endpoint } from '@/lib/api/endpoint';
import { mergeTag as contract } from '@/lib/tags/contract';
import { mergeTag } from '@/lib/tags/service';

export const POST = endpoint(contract, ({ user, params, body }) => mergeTag(user.id, params.id, body.into));
