import { endpoint } from '@/lib/api/endpoint';
import { search as contract } from '@/lib/search/contract';
import { search } from '@/lib/search/service';

export const GET = endpoint(contract, ({ user, query }) => search(user.id, query));
