import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/entries/contract';
import { removeEntry } from '@/lib/journal/entries/trash';

export const POST = endpoint(contract.removeEntry, ({ user, params }) => removeEntry(user.id, params.id));
