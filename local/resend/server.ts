import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  checkApiKey,
  errorResponse,
  getEmail,
  type HttpResponse,
  jsonResponse,
  listEmails,
  sendEmail,
} from './api';
import { bodyCsp, emailBody, emailPage, listPage, notFoundPage, pageCsp } from './page';
import { type EmailStore, openEmailStore, type StoredEmail } from './store';

/** Mails on one page for people. */
const pageSize = 50;
/** How long closing waits for requests under way. Milliseconds. */
const closeTimeoutMs = 2000;

export type ResendServer = { url: string; port: number; close(): Promise<void> };

/**
 * Serves Resend's `POST /emails`, `GET /emails` and `GET /emails/:id` on the loopback interface, keeps
 * the mails in `dir`, and shows them to people at `/`. Resend's SDK is pointed here by `RESEND_BASE_URL`
 * or its `baseUrl` option.
 */
export async function startResend(options: {
  dir: string;
  apiKey: string;
  port?: number;
  log?: (line: Record<string, unknown>) => void;
}): Promise<ResendServer> {
  const store = await openEmailStore(options.dir, options.log);
  const server = createServer((request, response) => {
    const started = Date.now();
    answer(request, store, options.apiKey)
      .catch((error: unknown): HttpResponse => {
        options.log?.({ level: 'error', event: 'mail_failed', message: String(error) });
        return errorResponse({
          statusCode: 500,
          name: 'internal_server_error',
          message: 'An unexpected error occurred.',
        });
      })
      .then((result) => {
        send(request, response, result);
        // Paths only: a query may hold an address.
        const path = request.url?.split('?')[0];
        options.log?.({ method: request.method, path, status: result.status, ms: Date.now() - started });
      });
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(options.port ?? 0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: async () => {
      const closed = new Promise<void>((ended) => server.close(() => ended()));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

async function answer(request: IncomingMessage, store: EmailStore, apiKey: string): Promise<HttpResponse> {
  // A site elsewhere could give its own name this address, and read the mails in a visitor's browser.
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(request.headers.host ?? '')) {
    return errorResponse({
      statusCode: 403,
      name: 'invalid_access',
      message: 'The mailbox is reached as localhost only.',
    });
  }
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  const parameters = new URLSearchParams(query);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const parts = path.split('/').slice(1);
  if (parts[0] === 'emails') {
    const refused = checkApiKey(request, apiKey);
    if (refused) return errorResponse(refused);
    if (method === 'POST' && parts.length === 1) return sendEmail(request, store);
    if (method === 'GET' && parts.length === 1) return listEmails(store, parameters);
    if (method === 'GET' && parts.length === 2) return getEmail(store.get(parts[1] ?? ''));
  } else if (method === 'GET' && path === '/health') {
    return jsonResponse(200, { status: 'ok' });
  } else if (method === 'GET' && path === '/') {
    return showList(store, parameters);
  } else if (method === 'GET' && parts[0] === 'mail') {
    return showMail(store.get(parts[1] ?? ''), parts.slice(2).join('/'));
  }
  return errorResponse({
    statusCode: 404,
    name: 'not_found',
    message: 'The local mailbox does not know this address.',
  });
}

function showList(store: EmailStore, parameters: URLSearchParams): HttpResponse {
  const to = parameters.get('to')?.trim() ?? '';
  const matching = store
    .list()
    .filter((mail) => mail.to.some((one) => one.toLowerCase().includes(to.toLowerCase())));
  const after = parameters.get('after');
  const from = after ? matching.findIndex(({ id }) => id === after) + 1 : 0;
  const shown = matching.slice(from, from + pageSize);
  const more = from + pageSize < matching.length;
  return html(200, listPage(shown, to, more ? shown.at(-1)?.id : undefined), pageCsp);
}

function showMail(mail: StoredEmail | undefined, part: string): HttpResponse {
  if (mail && part === '') return html(200, emailPage(mail), pageCsp);
  if (mail && part === 'body' && mail.html !== null) return html(200, emailBody(mail.html), bodyCsp);
  return html(404, notFoundPage(), pageCsp);
}

function html(status: number, body: string, policy: string): HttpResponse {
  return { status, type: 'text/html; charset=utf-8', body, contentSecurityPolicy: policy };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body, contentSecurityPolicy }: HttpResponse,
): void {
  // An unread body is dropped, so that the client gets to hear the answer.
  request.resume();
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'content-security-policy': contentSecurityPolicy ?? "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .end(body);
}
