import { endpoint } from '@/lib/api/endpoint';
import { listRange as contract } from '@/lib/journal/bulk/contract';
import { journalRange } from '@/lib/journal/entries/gallery';

export const GET = endpoint(contract, ({ user, query }) => journalRange(user.id, query));
