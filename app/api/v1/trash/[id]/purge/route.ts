import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/entries/contract';
import { purgeEntry } from '@/lib/journal/entries/trash';

export const POST = endpoint(contract.purgeEntry, ({ user, params }) => purgeEntry(user.id, params.id));
