import type { IncomingMessage, ServerResponse } from 'node:http';
import { addPeerAddress } from '@/lib/foundation/http/client-address';
import { assignRequestId } from '@/lib/foundation/http/request-id';

/**
 * Headers that only our middleware and Next write, and both trust. The policy is where Next finds the nonce of its scripts.
 * Next removes some of these itself, after other listeners have seen them.
 */
const INTERNAL = new Set([
  'x-nonce',
  'x-path',
  'x-session-unknown',
  'x-page-key',
  'content-security-policy',
  'content-security-policy-report-only',
  'x-matched-path',
  'x-now-route-matches',
  'x-nextjs-data',
  'next-resume',
]);
const INTERNAL_PREFIXES = ['x-middleware-', 'x-invoke-', 'x-next-', 'x-prerender-'];

const isInternal = (name: string): boolean =>
  INTERNAL.has(name) ||
  (name.startsWith('x-') && INTERNAL_PREFIXES.some((prefix) => name.startsWith(prefix)));

/**
 * Makes a request's headers say what this server knows instead of what the client claims: removes internal ones, adds the
 * connection's address, and gives the request an id, which its answer bears, too.
 */
export function receiveHeaders(request: IncomingMessage, response: ServerResponse): void {
  for (const name in request.headers) {
    if (isInternal(name)) Reflect.deleteProperty(request.headers, name);
  }
  addPeerAddress(request);
  assignRequestId(request, response);
}
