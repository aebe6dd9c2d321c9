import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/tags/contract';
import { mergeTag } from '@/lib/journal/tags/service';

export const POST = endpoint(contract.mergeTag, ({ user, params, body }) =>
  mergeTag(user.id, params.id, body.into),
);
