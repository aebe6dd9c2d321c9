import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/entries/contract';
import { restoreEntry } from '@/lib/journal/entries/trash';

export const POST = endpoint(contract.restoreEntry, ({ user, params }) => restoreEntry(user.id, params.id));
