import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/search/contract';
import { summarizeSearch } from '@/lib/journal/search/service';

export const GET = endpoint(contract.summarizeSearch, ({ user, query }) => summarizeSearch(user.id, query));
