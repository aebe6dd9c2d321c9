import type { IncomingMessage, ServerResponse } from 'node:http';
import { API_CSP } from '@/lib/foundation/http/api-csp';
import { transportSecurity } from '@/lib/foundation/http/transport-security';

/** The id that a request got when it arrived. */
export const idOf = (request: IncomingMessage): string => String(request.headers['x-request-id'] ?? '');

/** Answers a request that Next doesn't see. */
export function sendResponse(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: Record<string, string> | string = '',
): void {
  response.writeHead(status, {
    ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': API_CSP,
    ...transportSecurity(),
    ...headers,
  });
  response.end(typeof body === 'object' ? JSON.stringify(body) : body);
}
