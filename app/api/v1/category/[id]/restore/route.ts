import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/tags/contract';
import { restoreTag } from '@/lib/journal/tags/deletion';

export const POST = endpoint(contract.restoreTag, ({ user, params }) => restoreTag(user.id, params.id));
