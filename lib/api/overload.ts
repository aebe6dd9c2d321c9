import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS, RETRY_SECONDS } from '@/lib/contract/errors';
import { createLoadShedder } from '@/lib/http/load-shedding';
import { UNAVAILABLE_PAGE } from '@/lib/http/unavailable-page';
import { isFile, pathOf } from '@/lib/request-path';
import { record } from '@/lib/telemetry/metrics';
import { idOf, sendResponse } from './raw-response';
import { logRejection } from './rejections';

const admit = createLoadShedder();

/** The page has a style of its own, and nothing else. */
const PAGE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Returns whether a request is for a page or an operation. Files cost little and complete a page that was accepted. The job
 * service, Stripe, and health checks have their own pace, and would take a refusal for an outage.
 */
function isShed(path: string): boolean {
  return path.startsWith('/api/') ? path.startsWith('/api/v1/') : !isFile(path);
}

/** Answers 503 right away. It costs about a hundredth of what a page does. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  const [status] = ERRORS.unavailable;
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  record('daylight.requests.shed', 1);
  logRejection(idOf(request), { event: 'overloaded', status, method: request.method });
  if (pathOf(request).startsWith('/api/')) {
    const message = 'Daylight is busy right now. Try again in a moment.';
    sendResponse(response, status, headers, { message, code: 'unavailable' });
  } else {
    const page = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_CSP };
    sendResponse(
      response,
      status,
      { ...headers, ...page },
      request.method === 'HEAD' ? '' : UNAVAILABLE_PAGE,
    );
  }
}

/** Calls `start` once there's time for a request, or refuses it. */
export function admitRequest(request: IncomingMessage, response: ServerResponse, start: () => void): void {
  if (isShed(pathOf(request))) admit(request, response, start, () => refuse(request, response));
  else start();
}
