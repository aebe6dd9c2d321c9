import { endpoint } from '@/lib/api/endpoint';
import { pagedResponse } from '@/lib/api/paged-response';
import * as contract from '@/lib/journal/search/contract';
import { search } from '@/lib/journal/search/service';

export const GET = endpoint(contract.search, async ({ user, query, request }) => {
  const { results, ...page } = await search(user.id, query);
  return pagedResponse(contract.search, request.nextUrl.searchParams, { items: results, ...page });
});
