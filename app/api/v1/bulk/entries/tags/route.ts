import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/bulk/contract';
import { changeTags } from '@/lib/journal/bulk/service';

export const POST = endpoint(contract.changeTags, ({ user, body: { entries, ...tags } }) =>
  changeTags(user.id, entries, tags),
);
