import { NextResponse } from 'next/server';
import { endpoint } from '@/lib/api/endpoint';
import { listEntries as contract } from '@/lib/entries/contract';
import { listEntries } from '@/lib/entries/service';

export const GET = endpoint(contract, async ({ user, query, request }) => {
  const { entries, next, total } = await listEntries(user.id, query);
  const response = NextResponse.json(contract.response.parse(entries));
  response.headers.set('x-total-count', String(total));
  if (next) {
    const address = new URLSearchParams(request.nextUrl.search);
    address.set('cursor', next);
    response.headers.set('link', `</api/v1/entries?${address}>; rel="next"`);
  }
  return response;
});
