import { endpoint } from '@/lib/api/endpoint';
import { listTrash as contract } from '@/lib/entries/contract';
import { listTrash } from '@/lib/entries/trash';

export const GET = endpoint(contract, ({ user }) => listTrash(user.id));
