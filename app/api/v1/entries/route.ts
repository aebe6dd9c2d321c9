import { endpoint } from '@/lib/api/endpoint';
import { pagedResponse } from '@/lib/api/paged-response';
import * as contract from '@/lib/journal/entries/contract';
import { listEntries } from '@/lib/journal/entries/service';

export const GET = endpoint(contract.listEntries, async ({ user, query, request }) => {
  const { entries, ...page } = await listEntries(user.id, query);
  return pagedResponse(contract.listEntries, request.nextUrl.searchParams, { items: entries, ...page });
});
