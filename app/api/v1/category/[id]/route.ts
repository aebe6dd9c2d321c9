import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/tags/contract';
import { deleteTag } from '@/lib/journal/tags/deletion';

export const DELETE = endpoint(contract.deleteTag, ({ user, params }) => deleteTag(user.id, params.id));
