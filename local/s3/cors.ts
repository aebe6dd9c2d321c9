import type { IncomingMessage } from 'node:http';
import { S3Error } from './errors';
import type { S3Response } from './request-context';

// The rule that the app sets in production, and no more.
const HEADERS = ['content-md5', 'content-type', 'range'];
const EXPOSED = 'content-range, etag';
const PREFLIGHT_SECONDS = '3000';

/** What pages may do: from which origins (`*` for all), and whether they may send forms, too. */
export type CorsRule = { origins: string[] | '*'; hasPostObject: boolean };

const methodsOf = ({ hasPostObject }: CorsRule) => ['GET', 'PUT', ...(hasPostObject ? ['POST'] : [])];

/** Returns the headers that let pages of an allowed origin read a response, including errors. */
export function corsHeaders(request: IncomingMessage, rule: CorsRule): Record<string, string> {
  const { origins: allowed } = rule;
  const origin = request.headers.origin;
  const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';
  if (origin === undefined || (allowed !== '*' && !allowed.includes(origin))) return { vary };
  const method = request.headers['access-control-request-method'] ?? request.method ?? '';
  if (!methodsOf(rule).includes(method)) return { vary };
  return {
    vary,
    'access-control-allow-origin': allowed === '*' ? '*' : origin,
    'access-control-expose-headers': EXPOSED,
  };
}

/** Returns the response to OPTIONS. Throws AccessForbidden unless the origin, method and headers are allowed, as S3 does. */
export function preflight(request: IncomingMessage, rule: CorsRule): S3Response {
  const asked = (request.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const isAllowed =
    corsHeaders(request, rule)['access-control-allow-origin'] &&
    request.headers['access-control-request-method'];
  if (!isAllowed || !asked.every((name) => HEADERS.includes(name))) throw new S3Error('AccessForbidden');
  const headers: Record<string, string> = {
    'access-control-allow-methods': methodsOf(rule).join(', '),
    'access-control-max-age': PREFLIGHT_SECONDS,
  };
  if (asked.length > 0) headers['access-control-allow-headers'] = asked.join(', ');
  return { status: 200, headers };
}
