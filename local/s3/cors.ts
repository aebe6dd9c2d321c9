import type { IncomingMessage } from 'node:http';
import { S3Error } from './errors';
import type { S3Response } from './request-context';

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'];
const EXPOSED = ['Accept-Ranges', 'Content-Length', 'Content-Range', 'ETag', 'Last-Modified'];
const PREFLIGHT_SECONDS = '3000';

/** Returns the headers that let pages of an allowed origin read a response, including errors. */
export function corsHeaders(request: IncomingMessage, allowed: string[] | '*'): Record<string, string> {
  const origin = request.headers.origin;
  const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';
  if (origin === undefined || (allowed !== '*' && !allowed.includes(origin))) return { vary };
  return {
    vary,
    'access-control-allow-origin': allowed === '*' ? '*' : origin,
    'access-control-expose-headers': EXPOSED.join(', '),
  };
}

/** Returns the response to OPTIONS. Throws AccessForbidden for an origin or method that isn't allowed, as S3 does. */
export function preflight(request: IncomingMessage, cors: Record<string, string>): S3Response {
  const method = request.headers['access-control-request-method'] ?? '';
  if (!cors['access-control-allow-origin'] || !METHODS.includes(method)) {
    throw new S3Error('AccessForbidden');
  }
  const headers: Record<string, string> = {
    'access-control-allow-methods': METHODS.join(', '),
    'access-control-max-age': PREFLIGHT_SECONDS,
  };
  const asked = request.headers['access-control-request-headers'];
  if (asked) headers['access-control-allow-headers'] = asked;
  return { status: 200, headers };
}
