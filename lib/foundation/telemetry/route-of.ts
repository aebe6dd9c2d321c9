import type { IncomingMessage } from 'node:http';

/** Where Next keeps what it knows of a request: on the request itself, for its own layers. */
const NEXT_META = Symbol.for('NextInternalRequestMeta');

interface NextMeta {
  match?: { definition?: { pathname?: string } } | null;
}

/** Returns the pattern of the route that answers; undefined if none does, as for an address that doesn't exist. */
export function routeOf(request: IncomingMessage): string | undefined {
  const meta = (request as IncomingMessage & { [NEXT_META]?: NextMeta })[NEXT_META];
  return meta?.match?.definition?.pathname;
}
