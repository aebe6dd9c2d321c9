import { endpoint } from '@/lib/api/endpoint';
import { restoreEntry as contract } from '@/lib/entries/contract';
import { restoreEntry } from '@/lib/entries/trash';

export const POST = endpoint(contract, ({ user, params }) => restoreEntry(user.id, params.id));
