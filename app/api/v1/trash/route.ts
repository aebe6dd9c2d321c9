import { endpoint } from '@/lib/api/endpoint';
import { listTrash as contract } from '@/lib/journal/entries/contract';
import { listTrash } from '@/lib/journal/entries/trash';

export const GET = endpoint(contract, ({ user }) => listTrash(user.id));
