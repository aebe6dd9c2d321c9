import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, failure, getMail, json, listMails, receive, refuseKey } from './api';
import { bodyPolicy, listPage, mailBody, mailPage, missingPage, pagePolicy } from './page';
import { type MailStore, openMailStore, type StoredMail } from './store';

/** Mails on one page for people. */
const pageLength = 50;
/** How long closing waits for requests under way. Milliseconds. */
const patience = 2000;

export type LocalMail = { url: string; port: number; close(): Promise<void> };

/**
 * Serves Resend's `POST /emails`, `GET /emails` and `GET /emails/:id` on the loopback interface, keeps
 * the mails in `dir`, and shows them to people at `/`. Resend's SDK is pointed here by `RESEND_BASE_URL`
 * or its `baseUrl` option.
 */
export async function startMail(options: {
  dir: string;
  apiKey: string;
  port?: number;
  log?: (line: Record<string, unknown>) => void;
}): Promise<LocalMail> {
  const store = await openMailStore(options.dir, options.log);
  const server = createServer((request, response) => {
    const started = Date.now();
    answer(request, store, options.apiKey)
      .catch((error: unknown): Answer => {
        options.log?.({ level: 'error', event: 'mail_failed', message: String(error) });
        return failure({
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
      const cut = setTimeout(() => server.closeAllConnections(), patience);
      await closed;
      clearTimeout(cut);
    },
  };
}

async function answer(request: IncomingMessage, store: MailStore, apiKey: string): Promise<Answer> {
  // A site elsewhere could give its own name this address, and read the mails in a visitor's browser.
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(request.headers.host ?? '')) {
    return failure({
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
    const refused = refuseKey(request, apiKey);
    if (refused) return failure(refused);
    if (method === 'POST' && parts.length === 1) return receive(request, store);
    if (method === 'GET' && parts.length === 1) return listMails(store, parameters);
    if (method === 'GET' && parts.length === 2) return getMail(store.get(parts[1] ?? ''));
  } else if (method === 'GET' && path === '/health') {
    return json(200, { status: 'ok' });
  } else if (method === 'GET' && path === '/') {
    return showList(store, parameters);
  } else if (method === 'GET' && parts[0] === 'mail') {
    return showMail(store.get(parts[1] ?? ''), parts.slice(2).join('/'));
  }
  return failure({
    statusCode: 404,
    name: 'not_found',
    message: 'The local mailbox does not know this address.',
  });
}

function showList(store: MailStore, parameters: URLSearchParams): Answer {
  const to = parameters.get('to')?.trim() ?? '';
  const matching = store
    .list()
    .filter((mail) => mail.to.some((one) => one.toLowerCase().includes(to.toLowerCase())));
  const after = parameters.get('after');
  const from = after ? matching.findIndex(({ id }) => id === after) + 1 : 0;
  const shown = matching.slice(from, from + pageLength);
  const more = from + pageLength < matching.length;
  return html(200, listPage(shown, to, more ? shown.at(-1)?.id : undefined), pagePolicy);
}

function showMail(mail: StoredMail | undefined, part: string): Answer {
  if (mail && part === '') return html(200, mailPage(mail), pagePolicy);
  if (mail && part === 'body' && mail.html !== null) return html(200, mailBody(mail.html), bodyPolicy);
  return html(404, missingPage(), pagePolicy);
}

function html(status: number, body: string, policy: string): Answer {
  return { status, type: 'text/html; charset=utf-8', body, policy };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body, policy }: Answer,
): void {
  // An unread body is dropped, so that the client gets to hear the answer.
  request.resume();
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'content-security-policy': policy ?? "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .end(body);
}
