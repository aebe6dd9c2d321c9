import { endpoint } from '@/lib/api/endpoint';
import { previewRemoval as contract } from '@/lib/bulk/contract';
import { previewRemoval } from '@/lib/entries/trash-space';

export const POST = endpoint(contract, ({ user, body }) => previewRemoval(user.id, body.entries));
