import { listTrash as contract } from '@/lib/entries/contract';
import { listTrash } from '@/lib/entries/trash';
import { endpoint } from '@/lib/http/endpoint';

export const GET = endpoint(contract, ({ user }) => listTrash(user.id));
