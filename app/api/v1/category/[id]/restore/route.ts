import { endpoint } from '@/lib/api/endpoint';
import { restoreTag as contract } from '@/lib/tags/contract';
import { restoreTag } from '@/lib/tags/deletion';

export const POST = endpoint(contract, ({ user, params }) => restoreTag(user.id, params.id));
