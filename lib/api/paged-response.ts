import type { z } from 'zod';
import type { Operation } from '@/lib/foundation/contract/operation';

/**
 * Returns a page of a list as JSON. `X-Total-Count` has the total, unless that's null, as it wasn't counted. `Link` (RFC 8288)
 * has the address of the page after it, whose cursor is `next`, null at the end.
 */
export function pagedResponse<Item>(
  operation: Operation & { response: z.ZodType<Item[]> },
  query: URLSearchParams,
  { items, next, total }: { items: Item[]; next: string | null; total: number | null },
): Response {
  const response = Response.json(operation.response.parse(items));
  if (total !== null) response.headers.set('x-total-count', String(total));
  if (next !== null) {
    const address = new URLSearchParams(query);
    address.set('cursor', next);
    response.headers.set('link', `</api/v1${operation.path}?${address}>; rel="next"`);
  }
  return response;
}
