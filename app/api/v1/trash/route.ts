import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/entries/contract';
import { listTrash } from '@/lib/journal/entries/trash';

export const GET = endpoint(contract.listTrash, ({ user }) => listTrash(user.id));
