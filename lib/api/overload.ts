import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Admission, admissionScope, type Refusal } from '@/lib/foundation/admission';
import { ERRORS } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import { clientAddressOf, siteNetwork } from '@/lib/foundation/http/client-address';
import { isMemberPage, isPublicPage } from '@/lib/foundation/http/pages';
import { plainPage, UNAVAILABLE_PAGE } from '@/lib/foundation/http/plain-pages';
import { hasExtension, isFile, pathOf } from '@/lib/foundation/request-path';
import { record } from '@/lib/foundation/telemetry/metrics';
import { createLoadShedder } from '@/lib/limits/load-shedding';
import { createTokenBuckets } from '@/lib/limits/token-buckets';
import { idOf, sendResponse } from './raw-response';
import { refusalError } from './refusals';
import { logRejection } from './rejections';
import { accountOf } from './request-account';

const admit = createLoadShedder();

/** A page has a style of its own, and nothing else. */
const PAGE_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const NOT_FOUND_PAGE = plainPage({
  heading: 'We can’t find that page',
  text: 'Check the link and try again.',
  href: '/',
  link: 'Go home',
});

/**
 * The job service, Stripe, and health checks have their own pace, and would take a refusal for an outage. Everything else
 * that isn't a file is somebody's request, whether or not it's for something that exists.
 */
const NEVER_REFUSED = /^\/api\/(health|inngest|webhooks\/stripe)\/?$/;

/** Returns whether programs ask for a path. People follow links to providers and back, below `/api/auth`. */
const isForPrograms = (path: string) => path.startsWith('/api/') && !path.startsWith('/api/auth/');

/**
 * How many files that aren't there a network gets told so at once; each later one takes a moment, so that a connection can
 * ask for no more than a few a second. Browsers ask for some on their own, and crawlers for many.
 */
const missingFiles = createTokenBuckets({ perSecond: 20, burst: 100 });
const MISSING_FILE_DELAY_MS = 250;

/**
 * Returns whether a path looks like a file's and nothing is there. Next would render a whole page to say so. Not in
 * development, whose tools have files of their own.
 */
const isMissingFile = (path: string): boolean =>
  path.startsWith('/') &&
  !path.startsWith('/api/') &&
  hasExtension(path) &&
  !isPublicPage(path) &&
  !isMemberPage(path) &&
  env().NODE_ENV !== 'development';

function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  page: string,
  headers = {},
): void {
  sendResponse(
    response,
    status,
    { ...headers, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_CSP },
    request.method === 'HEAD' ? '' : page,
  );
}

const countRefusal = (refusal: Refusal) => record('daylight.requests.shed', 1, { 'error.type': refusal });

/** Says that there's no such file: later, if the network has asked for many. */
function sendNotFound(request: IncomingMessage, response: ServerResponse, network: string): void {
  const send = () => {
    if (!response.closed) sendPage(request, response, ERRORS.not_found[0], NOT_FOUND_PAGE);
  };
  if (missingFiles.take(network) === 0) send();
  else setTimeout(send, MISSING_FILE_DELAY_MS);
}

/** Answers without Next. It costs about a hundredth of what a page does. */
function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const { status, code, message, retryAfter } = refusalError(refusal);
  const headers = { 'retry-after': String(retryAfter) };
  countRefusal(refusal);
  logRejection(idOf(request), { event: 'overloaded', status, method: request.method });
  if (isForPrograms(pathOf(request))) sendResponse(response, status, headers, { message, code });
  else sendPage(request, response, status, UNAVAILABLE_PAGE, headers);
}

/**
 * Calls `start` when it's the request's turn, or refuses it. A person's requests count as their account's, wherever they
 * are, and those without a session as their network's.
 */
export function admitRequest(request: IncomingMessage, response: ServerResponse, start: () => void): void {
  const path = pathOf(request);
  if (isFile(path) || NEVER_REFUSED.test(path)) {
    start();
    return;
  }
  const address = clientAddressOf(request);
  const network = siteNetwork(address) ?? address;
  if (isMissingFile(path)) {
    sendNotFound(request, response, network);
    return;
  }
  const isChange = request.method !== 'GET' && request.method !== 'HEAD';
  const admitAs = (account: string | undefined) => {
    const admission: Admission = { account };
    admit({
      request,
      response,
      sender: { account, network, isChange },
      start: () => admissionScope.run(admission, start),
      refuse: (refusal) => refuse(request, response, refusal),
      refuseBody: (refusal) => {
        countRefusal(refusal);
        admission.refusal = refusal;
      },
    });
  };
  const account = accountOf(request);
  if (account instanceof Promise) void account.then(admitAs);
  else admitAs(account);
}
