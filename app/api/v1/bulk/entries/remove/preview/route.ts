import { endpoint } from '@/lib/api/endpoint';
import { previewRemoval as contract } from '@/lib/journal/bulk/contract';
import { previewRemoval } from '@/lib/journal/entries/trash-space';

export const POST = endpoint(contract, ({ user, body }) => previewRemoval(user.id, body.entries));
