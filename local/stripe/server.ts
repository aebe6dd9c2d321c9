import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Stripe from 'stripe';
import {
  hasApiKey,
  jsonReply,
  type LoopbackServer,
  RefusedRequest,
  type Reply,
  readBody,
  startLoopbackServer,
} from '../loopback-server';
import { checkoutPage, type PageResponse } from './checkout-page';
import { getStripeError, type StripeApiError } from './errors';
import { expand } from './expand';
import { asList, asText, parseForm } from './form';
import { checkParameters } from './parameters';
import { portalPage } from './portal-page';
import {
  clockRoutes,
  customerRoutes,
  eventRoutes,
  paymentRoutes,
  priceRoutes,
  type RouteHandler,
  subscriptionRoutes,
} from './routes';
import { expireOldCheckouts, sessionRoutes } from './session-routes';
import { newId, openStore, type Store } from './store';
import { processDueRenewals } from './subscriptions';
import { startWebhookDelivery } from './webhooks';

export type StripeServer = LoopbackServer;

const MAX_BODY_BYTES = 256 * 1024;
/** How often renewals and expired pages are looked for, in milliseconds. */
const TICK_INTERVAL_MS = 30_000;
/**
 * How long a paid Checkout waits for the webhook to be accepted before it redirects, as Stripe's does, in
 * milliseconds.
 */
const RETURN_TIMEOUT_MS = 10_000;

/**
 * Starts the local stand-in of Stripe: its API as far as the app uses it, a Checkout and a portal page, and signed
 * webhooks, on the loopback interface, with its records in `dir`. STRIPE_API_BASE points the SDK here.
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
  let routes: Record<string, RouteHandler> = {};

  async function handle(request: IncomingMessage): Promise<Reply> {
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
    const body = method === 'GET' ? '' : await readBody(request, MAX_BODY_BYTES);
    processDueRenewals(store, store.now());
    expireOldCheckouts(store, server.url);
    const [, first, second, third] = path.split('/');
    if (first === 'v1' || first === 'test')
      return api(request, method, path, method === 'GET' ? query : body);
    const form = method === 'POST' ? parseForm(body) : null;
    if (first === 'c' && second === 'pay' && third)
      return shown(checkoutPage(store, server.url, third, form));
    if (first === 'p' && second === 'session' && third) return shown(portalPage(store, third, form));
    if (path === '/health') return { status: 200, body: 'ok' };
    return pageReply({ status: 404, html: "We can't find that page." });
  }

  /** Returns a page's response, once the webhook had a chance to accept the page's events. */
  async function shown(page: PageResponse): Promise<Reply> {
    store.save();
    if (page.location) {
      const timeout = new Promise((resolve) => setTimeout(resolve, RETURN_TIMEOUT_MS).unref());
      await Promise.race([delivery.flush(), timeout]);
    }
    return pageReply(page);
  }

  function api(request: IncomingMessage, method: string, path: string, encoded: string): Reply {
    const refused = checkRequest(request, secretKey);
    if (refused) return errorReply(refused);
    const key = request.headers['idempotency-key']?.toString();
    const fingerprint = createHash('sha256').update(`${method} ${path}\n${encoded}`).digest('hex');
    const known = key && method === 'POST' ? store.state.idempotency[key] : undefined;
    if (known && known.fingerprint !== fingerprint) {
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.';
      return errorReply({ status: 400, type: 'idempotency_error', message });
    }
    if (known) return apiReply(known.status, known.body, { 'idempotent-replayed': 'true' });
    const reply = handleApiRequest(store, routes, method, path, encoded);
    if (key && method === 'POST') {
      const { status, body = '' } = reply;
      store.state.idempotency[key] = { fingerprint, status, body, at: Date.now() };
    }
    if (method !== 'GET') store.save();
    delivery.wake();
    return reply;
  }

  const server = await startLoopbackServer({
    port: options.port,
    log,
    handle,
    toReply(error) {
      const type = 'invalid_request_error';
      if (error instanceof RefusedRequest) {
        return errorReply({ status: error.status, type, message: error.message });
      }
      const known = getStripeError(error);
      if (!known) log({ level: 'error', event: 'stripe_failed', message: String(error) });
      return errorReply(known ?? { status: 500, type: 'api_error', message: 'The local Stripe failed.' });
    },
  });
  routes = {
    ...customerRoutes,
    ...priceRoutes,
    ...subscriptionRoutes,
    ...paymentRoutes,
    ...eventRoutes,
    ...clockRoutes,
    ...sessionRoutes(server.url),
  };
  const ticking = setInterval(() => {
    processDueRenewals(store, store.now());
    expireOldCheckouts(store, server.url);
    delivery.wake();
  }, TICK_INTERVAL_MS);
  ticking.unref();
  return {
    ...server,
    close: async () => {
      clearInterval(ticking);
      await Promise.all([server.close(), delivery.close()]);
      store.close();
    },
  };
}

/** Finds the route of a path (`:id` stands for its third or, below a folder, fourth part) and runs it. */
function handleApiRequest(
  store: Store,
  routes: Record<string, RouteHandler>,
  method: string,
  path: string,
  encoded: string,
): Reply {
  const parts = path.split('/');
  const candidates = parts.map((_, at) => (at < 3 ? -1 : at));
  const form = parseForm(encoded);
  for (const at of [-1, ...candidates.filter((one) => one > 0)]) {
    const pattern = parts.map((part, index) => (index === at ? ':id' : part)).join('/');
    const name = `${method} ${pattern}`;
    const operation = routes[name];
    if (!operation) continue;
    const id = at < 0 ? '' : decodeURIComponent(parts[at] ?? '');
    try {
      checkParameters(name, form);
      const result = operation({ store, id, form });
      const paths = asList(form.expand).flatMap((one) => asText(one) ?? []);
      return apiReply(200, JSON.stringify(expand(store.state, result, paths)));
    } catch (error) {
      const known = getStripeError(error);
      if (known) return errorReply(known);
      throw error;
    }
  }
  return errorReply({
    status: 404,
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The local Stripe implements only what the app calls.`,
  });
}

/** Checks the key, and the version, which a client must pin to the one whose shapes are implemented. */
function checkRequest(request: IncomingMessage, secretKey: string): StripeApiError | undefined {
  const type = 'invalid_request_error';
  if (!hasApiKey(request, secretKey)) return { status: 401, type, message: 'Invalid API Key provided.' };
  const version = request.headers['stripe-version'];
  if (version === Stripe.API_VERSION) return undefined;
  return {
    status: 400,
    type,
    message: `The local Stripe implements the API version ${Stripe.API_VERSION}, not ${version}.`,
  };
}

const apiReply = (status: number, body: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', 'request-id': newId('req'), ...headers },
  body,
});

const errorReply = ({ status, ...error }: StripeApiError): Reply =>
  jsonReply(status, { error }, { 'request-id': newId('req') });

function pageReply({ status = 200, html = '', location, returnsTo = [] }: PageResponse): Reply {
  // Browsers apply form-action to the redirects that follow a form, too.
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
