import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/bulk/contract';
import { previewRemoval } from '@/lib/journal/entries/trash-space';

export const POST = endpoint(contract.previewRemoval, ({ user, body }) =>
  previewRemoval(user.id, body.entries),
);
