import { restoreEntry as contract } from '@/lib/entries/contract';
import { restoreEntry } from '@/lib/entries/trash';
import { endpoint } from '@/lib/http/endpoint';

export const POST = endpoint(contract, ({ user, params }) => restoreEntry(user.id, params.id));
