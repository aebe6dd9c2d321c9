import type { IncomingMessage } from 'node:http';
import {
  jsonReply,
  type LoopbackServer,
  RefusedRequest,
  type Reply,
  startLoopbackServer,
} from '../loopback-server';
import { checkApiKey, errorReply, getEmail, listEmails, sendEmail } from './api';
import { bodyCsp, emailBody, emailPage, listPage, notFoundPage, pageCsp } from './page';
import { type EmailStore, openEmailStore, type StoredEmail } from './store';

/** How many emails the page shows. Its filter finds older ones. */
const MAX_EMAILS_SHOWN = 200;
/** How long closing waits for running requests, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2000;

export type ResendServer = LoopbackServer;

/**
 * Serves Resend's `POST /emails`, `GET /emails` and `GET /emails/:id` on the loopback interface, keeps the emails in
 * `dir`, and shows them to people at `/`. `RESEND_BASE_URL`, or the SDK's `baseUrl` option, points it here.
 */
export async function startResend(options: {
  dir: string;
  apiKey: string;
  port?: number;
  log?: (line: Record<string, unknown>) => void;
}): Promise<ResendServer> {
  const store = await openEmailStore(options.dir, options.log);
  const server = await startLoopbackServer({
    port: options.port,
    log: options.log,
    handle: (request) => route(request, store, options.apiKey),
    toReply(error) {
      if (error instanceof RefusedRequest) {
        const name = error.status === 403 ? 'invalid_access' : 'validation_error';
        return errorReply({ statusCode: error.status, name, message: error.message });
      }
      options.log?.({ level: 'error', event: 'mail_failed', message: String(error) });
      const message = 'An unexpected error occurred.';
      return errorReply({ statusCode: 500, name: 'internal_server_error', message });
    },
  });
  return { ...server, close: () => server.close(CLOSE_TIMEOUT_MS) };
}

async function route(request: IncomingMessage, store: EmailStore, apiKey: string): Promise<Reply> {
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
  const parameters = new URLSearchParams(query);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const parts = path.split('/').slice(1);
  if (parts[0] === 'emails') {
    const refused = checkApiKey(request, apiKey);
    if (refused) return errorReply(refused);
    if (method === 'POST' && parts.length === 1) return sendEmail(request, store);
    if (method === 'GET' && parts.length === 1) return listEmails(store, parameters);
    if (method === 'GET' && parts.length === 2) return getEmail(store.get(parts[1] ?? ''));
  } else if (method === 'GET' && path === '/health') {
    return jsonReply(200, { status: 'ok' });
  } else if (method === 'GET' && path === '/') {
    return showList(store, parameters);
  } else if (method === 'GET' && parts[0] === 'mail') {
    return showMail(store.get(parts[1] ?? ''), parts.slice(2).join('/'));
  }
  return errorReply({
    statusCode: 404,
    name: 'not_found',
    message: `The local mailbox doesn't implement ${method} ${path}.`,
  });
}

function showList(store: EmailStore, parameters: URLSearchParams): Reply {
  const to = parameters.get('to')?.trim() ?? '';
  const matching = store
    .list()
    .filter((mail) => mail.to.some((one) => one.toLowerCase().includes(to.toLowerCase())));
  return html(200, listPage(matching.slice(0, MAX_EMAILS_SHOWN), to), pageCsp);
}

function showMail(mail: StoredEmail | undefined, part: string): Reply {
  if (mail && part === '') return html(200, emailPage(mail), pageCsp);
  if (mail && part === 'body' && mail.html !== null) return html(200, emailBody(mail.html), bodyCsp);
  return html(404, notFoundPage(), pageCsp);
}

function html(status: number, body: string, policy: string): Reply {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  return { status, headers, body };
}
