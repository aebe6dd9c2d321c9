import type { z } from 'zod';
import type { Operation } from '@/lib/foundation/contract/operation';

/** A page of a list; `next` is the cursor of the page after it, null at the end. */
interface Page<Item> {
  items: Item[];
  next: string | null;
  /** How many items all pages have. Null if they weren't counted. */
  total: number | null;
}

/** Returns a page as JSON, with the total in `X-Total-Count` and the next page's address in `Link` (RFC 8288). */
export function pagedResponse<Item>(
  operation: Operation & { response: z.ZodType<Item[]> },
  query: URLSearchParams,
  { items, next, total }: Page<Item>,
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
