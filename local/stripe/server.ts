import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { checkoutPage, type PageResponse } from './checkout-page';
import { getStripeError, type StripeApiError, stripeError } from './errors';
import { expand } from './expand';
import { asList, asText, parseForm } from './form';
import { portalPage } from './portal-page';
import {
  catalog,
  clockRoutes,
  customerRoutes,
  eventRoutes,
  payments,
  type RouteHandler,
  subscriptionRoutes,
} from './routes';
import { expireOldCheckouts, sessionRoutes } from './session-routes';
import { newId, openStore, type Store } from './store';
import { processDueRenewals } from './subscriptions';
import { startWebhookDelivery } from './webhooks';

export type StripeServer = { url: string; port: number; close(): Promise<void> };

type HttpResponse = { status: number; headers: Record<string, string>; body: string };

const MAX_BODY_BYTES = 256 * 1024;
/** How often the clock is looked at for renewals and pages that expire. Milliseconds. */
const TICK_INTERVAL_MS = 30_000;
/** How long a paid Checkout waits for the webhook to be taken before it leads back, as Stripe's does. Milliseconds. */
const RETURN_TIMEOUT_MS = 10_000;

/**
 * The local stand-in of Stripe: its API as far as the app uses it, a Checkout and a portal page, and signed webhooks,
 * on the loopback interface, with its books in `dir`. The SDK is pointed here by STRIPE_API_BASE.
 */
export async function startStripe(options: {
  dir: string;
  secretKey: string;
  webhookSecret: string;
  webhookUrl: () => string;
  port?: number;
  log?: (line: Record<string, unknown>) => void;
}): Promise<StripeServer> {
  const { dir, secretKey, webhookSecret: secret, webhookUrl: url, log = () => undefined } = options;
  const store = openStore(dir);
  const delivery = startWebhookDelivery({ store, secret, url, log });
  let site = '';
  let routes: Record<string, RouteHandler> = {};

  async function answer(request: IncomingMessage): Promise<HttpResponse> {
    // A site elsewhere could give its own name this address.
    if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(request.headers.host ?? '')) {
      return pageResponse({ status: 403, html: 'The till is reached as localhost only.' });
    }
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
    const body = method === 'GET' ? '' : await readBody(request);
    processDueRenewals(store, store.now());
    expireOldCheckouts(store, site);
    const [, first, second, third] = path.split('/');
    if (first === 'v1' || first === 'test')
      return api(request, method, path, method === 'GET' ? query : body);
    const form = method === 'POST' ? parseForm(body) : null;
    if (first === 'c' && second === 'pay' && third) return shown(checkoutPage(store, site, third, form));
    if (first === 'p' && second === 'session' && third) return shown(portalPage(store, third, form));
    if (path === '/health') return { status: 200, headers: {}, body: 'ok' };
    return pageResponse({ status: 404, html: 'The local till does not know this address.' });
  }

  /** A page's answer, once the webhook had its chance to take what the page has done. */
  async function shown(result: PageResponse): Promise<HttpResponse> {
    store.save();
    if (result.location) {
      const patience = new Promise((resolve) => setTimeout(resolve, RETURN_TIMEOUT_MS).unref());
      await Promise.race([delivery.flush(), patience]);
    }
    return pageResponse(result);
  }

  function api(request: IncomingMessage, method: string, path: string, encoded: string): HttpResponse {
    const refused = checkRequest(request, secretKey);
    if (refused) return errorResponse(refused);
    const key = request.headers['idempotency-key']?.toString();
    const fingerprint = createHash('sha256').update(`${method} ${path}\n${encoded}`).digest('hex');
    const kept = key && method === 'POST' ? store.state.idempotency[key] : undefined;
    if (kept && kept.fingerprint !== fingerprint) {
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.';
      return errorResponse({ status: 400, type: 'idempotency_error', message });
    }
    if (kept) return jsonResponse(kept.status, kept.body, { 'idempotent-replayed': 'true' });
    const reply = handleApiRequest(store, routes, method, path, encoded);
    if (key && method === 'POST') {
      store.state.idempotency[key] = { fingerprint, status: reply.status, body: reply.body, at: Date.now() };
    }
    if (method !== 'GET') store.save();
    delivery.wake();
    return reply;
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => {
        const known = getStripeError(error);
        if (!known) log({ level: 'error', event: 'till_failed', message: String(error) });
        return errorResponse(known ?? { status: 500, type: 'api_error', message: 'The till failed.' });
      })
      .then((reply) => {
        send(response, reply);
        log({ method: request.method, path: request.url?.split('?')[0], status: reply.status });
      });
  });
  await new Promise<void>((listening, refused) => {
    server.once('error', refused).listen(options.port ?? 0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  site = `http://127.0.0.1:${port}`;
  routes = {
    ...customerRoutes,
    ...catalog,
    ...subscriptionRoutes,
    ...payments,
    ...eventRoutes,
    ...clockRoutes,
    ...sessionRoutes(site),
  };
  const ticking = setInterval(() => {
    processDueRenewals(store, store.now());
    expireOldCheckouts(store, site);
    delivery.wake();
  }, TICK_INTERVAL_MS);
  ticking.unref();
  return {
    url: site,
    port,
    close: async () => {
      clearInterval(ticking);
      const closed = new Promise<void>((ended) => server.close(() => ended()));
      server.closeAllConnections();
      await Promise.all([closed, delivery.close()]);
      store.close();
    },
  };
}

/** Finds the operation of a path (`:id` stands for its third or, below a folder, fourth part) and does it. */
function handleApiRequest(
  store: Store,
  routes: Record<string, RouteHandler>,
  method: string,
  path: string,
  encoded: string,
): HttpResponse {
  const parts = path.split('/');
  const candidates = parts.map((_, at) => (at < 3 ? -1 : at));
  const form = parseForm(encoded);
  for (const at of [-1, ...candidates.filter((one) => one > 0)]) {
    const pattern = parts.map((part, index) => (index === at ? ':id' : part)).join('/');
    const operation = routes[`${method} ${pattern}`];
    if (!operation) continue;
    const id = at < 0 ? '' : decodeURIComponent(parts[at] ?? '');
    try {
      const result = operation({ store, id, form });
      const paths = asList(form.expand).flatMap((one) => asText(one) ?? []);
      return jsonResponse(200, JSON.stringify(expand(store.state, result, paths)));
    } catch (error) {
      const known = getStripeError(error);
      if (known) return errorResponse(known);
      throw error;
    }
  }
  return errorResponse({
    status: 404,
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The local till knows only what the app asks of Stripe.`,
  });
}

/** Checks the key, and the version, which a client must pin to the one whose shapes the till knows. */
function checkRequest(request: IncomingMessage, secretKey: string): StripeApiError | undefined {
  const type = 'invalid_request_error';
  const given = request.headers.authorization;
  if (!given) return { status: 401, type, message: 'You did not provide an API key.' };
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(digest(given), digest(`Bearer ${secretKey}`))) {
    return { status: 401, type, message: 'Invalid API Key provided.' };
  }
  const version = request.headers['stripe-version'];
  if (version === Stripe.API_VERSION) return undefined;
  return {
    status: 400,
    type,
    message: `The till speaks Stripe's API of ${Stripe.API_VERSION}, not ${version}.`,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_BODY_BYTES) throw stripeError({ status: 413, message: 'The request is too large.' });
  return Buffer.concat(chunks).toString('utf8');
}

const jsonResponse = (status: number, body: string, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'request-id': newId('req'), ...headers },
  body,
});

const errorResponse = ({ status, ...error }: StripeApiError): HttpResponse =>
  jsonResponse(status, JSON.stringify({ error }));

function pageResponse({ status = 200, html = '', location, returnsTo = [] }: PageResponse): HttpResponse {
  // Browsers hold the redirects that follow a form to this too.
  const targets = returnsTo.flatMap((address) => (address ? [new URL(address).origin] : []));
  const policy = `default-src 'none'; style-src 'unsafe-inline'; form-action 'self' ${targets.join(' ')}; frame-ancestors 'none'; base-uri 'none'`;
  return {
    status: location ? 303 : status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      ...(location ? { location } : {}),
    },
    body: html,
  };
}

function send(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  response
    .writeHead(status, {
      ...headers,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .end(body);
}
