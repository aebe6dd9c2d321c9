import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/bulk/contract';
import { journalRange } from '@/lib/journal/entries/gallery';

export const GET = endpoint(contract.listRange, ({ user, query }) => journalRange(user.id, query));
