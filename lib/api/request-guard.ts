import { type IncomingMessage, Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { SHARE_MISSED, SHARE_PATH } from '@/lib/http/share-target';
import { log } from '@/lib/log';
import { pathOf } from '@/lib/request-path';
import { bodyLimitOf } from './body-limits';
import { limitBody } from './limit-body';
import { admitRequest } from './overload';
import { allowedMethods, isWellEscaped, lacksMethod, repairEscapes } from './paths';
import { idOf, rejectWith, sendResponse } from './raw-response';
import { logRejection, logUnlessLogged, trackRejections } from './rejections';

/** How long a refused client may go on sending before its connection is closed, in milliseconds. */
const LINGER_MS = 1000;
/** How many listeners wait for the end of a response before Node warns of a leak: seven of Next's, and up to five of ours. */
const MAX_LISTENERS = 20;
const KNOWN_METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** What a browser sends when a form is submitted before the page's scripts have loaded. */
const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

const shared = globalThis as typeof globalThis & { daylightGuardsRequests?: true };

/**
 * Closes a connection on which a body is still coming after its request was answered. What comes is discarded for a
 * moment: with bytes unread, the system would reset the connection, and the client might never see its answer.
 */
function stopReceiving(request: IncomingMessage, response: ServerResponse, isComplete: () => boolean): void {
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  // Node calls this after an answer to `Connection: close`.
  socket.destroySoon = () => {
    if (isComplete()) destroySoon();
    else socket.end();
  };
  const settle = () => {
    if (!isComplete()) socket.destroy();
    // The connection may serve other requests.
    Reflect.deleteProperty(socket, 'destroySoon');
  };
  response.once('finish', () => {
    if (isComplete()) settle();
    else setTimeout(settle, LINGER_MS).unref();
  });
}

function rejectMethod(request: IncomingMessage, response: ServerResponse): void {
  logRejection(idOf(request), { status: 405, method: request.method });
  sendResponse(response, 405, { allow: allowedMethods(pathOf(request)) });
}

/**
 * Answers a request to a page that isn't a read. Pages take no input this way, but a form that is submitted before
 * the scripts have loaded gets its page again instead of a browser's error.
 */
function rejectPage(request: IncomingMessage, response: ServerResponse): void {
  const isForm = request.method === 'POST' && FORM.test(request.headers['content-type'] ?? '');
  const target = request.url ?? '';
  // A path with two slashes in front would be another host.
  if (!isForm || !/^\/(?![/\\])/.test(target)) {
    rejectMethod(request, response);
    return;
  }
  logRejection(idOf(request), { status: 303, method: request.method });
  sendResponse(response, 303, { location: target });
}

/** Handles a request that Next must not see. Returns false for every other one. */
function rejectBeforeNext(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = '' } = request;
  const path = pathOf(request);
  const chunked = request.headers['transfer-encoding'] !== undefined;
  const declared = Number(request.headers['content-length'] ?? 0);
  const hasBody = chunked || declared > 0;
  // Next answers a method that a route doesn't have without `Allow` (RFC 9110, 15.5.6).
  if (lacksMethod(path, method)) {
    if (hasBody) stopReceiving(request, response, () => request.complete);
    rejectMethod(request, response);
    return true;
  }
  // A video, of any size, that somebody shared to the installed app while no service worker ran.
  if (method === 'POST' && path === SHARE_PATH) {
    if (hasBody) stopReceiving(request, response, () => request.complete);
    sendResponse(response, 303, { location: SHARE_MISSED });
    return true;
  }
  const limit = bodyLimitOf(method, path, request.headers);
  if (declared > limit || (chunked && limit === 0)) {
    stopReceiving(request, response, () => request.complete);
    rejectWith('too_large', request, response);
    return true;
  }
  if (!KNOWN_METHODS.includes(method)) {
    rejectMethod(request, response);
    return true;
  }
  // Next takes neither an asterisk (RFC 9112, 3.2.4) nor a bad escape.
  const isTarget = /^(\/|https?:\/\/)/i.test(path);
  if (!isTarget || !isWellEscaped(path)) {
    if (!isTarget || path.startsWith('/api/')) {
      rejectWith('bad_request', request, response);
      return true;
    }
    // A page finds nothing by a name with U+FFFD in it, and an old link's title doesn't matter.
    request.url = repairEscapes(request.url ?? '');
  }
  const isPage = !path.startsWith('/api/') && !['GET', 'HEAD', 'OPTIONS'].includes(method);
  if (hasBody) {
    const isComplete = limitBody(request, response, limit);
    if (chunked) stopReceiving(request, response, isComplete);
  }
  if (!isPage) return false;
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
  });
  request.once('end', () => {
    if (size > limit) rejectWith('too_large', request, response);
    else rejectPage(request, response);
  });
  return true;
}

const ABORTED = ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE'];
const MALFORMED: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/**
 * Ends a connection with an answer that no `ServerResponse` can give, and logs it.
 * @returns false when it has answered before, as nothing may be written into an answer under way
 */
function closeWithStatus(
  socket: Socket,
  status: number,
  about: Record<string, string | undefined>,
  allow = '',
): boolean {
  const requestId = uuidv7();
  log.info({ event: 'refused', ...about, status, requestId }, 'refused');
  if (!socket.writable || socket.bytesWritten > 0) return false;
  const headers = ['Connection: close', 'Content-Length: 0', ...(allow ? [`Allow: ${allow}`] : [])];
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, `x-request-id: ${requestId}`];
  socket.end(`${head.join('\r\n')}\r\n\r\n`, () => socket.destroy());
  return true;
}

/** Refuses a CONNECT, on whose connection Node would otherwise hang up without a word. */
function rejectConnect(_: IncomingMessage, socket: Socket): void {
  if (!closeWithStatus(socket, 405, { method: 'CONNECT' }, 'GET, HEAD')) socket.destroy();
}

/** Answers what isn't HTTP, or has larger headers than Node takes (16 kB). Returns false to leave it to Node. */
function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket): boolean {
  if (ABORTED.includes(error.code ?? '')) {
    log.debug({ event: 'request.aborted', code: error.code }, 'the client disconnected');
    return false;
  }
  return closeWithStatus(socket, MALFORMED[error.code ?? ''] ?? 400, { code: error.code });
}

/**
 * Bounds what this process reads of every request before Next sees it, on every path: Next itself reads any body of a
 * POST in full, whoever sends it. Also refuses what it has no time for, and logs the rejections that Next answers by itself. Call it once, before the first
 * request, after `nameRequests`. Where the platform runs its own server, as on Vercel, its limits and those of the
 * routes hold alone.
 */
export function guardRequests(): void {
  if (shared.daylightGuardsRequests) return;
  shared.daylightGuardsRequests = true;
  trackRejections();
  const emit = Server.prototype.emit;
  // Node has no other place between its parser and a server's own listeners.
  Server.prototype.emit = function guarded(event: string | symbol, ...args: unknown[]): boolean {
    const pass = () => emit.apply(this, [event, ...args] as Parameters<typeof emit>);
    if (event === 'clientError') {
      const [error, socket] = args as [NodeJS.ErrnoException, Socket];
      if (rejectMalformed(error, socket)) return true;
    }
    // Node tells of a CONNECT only where somebody listens.
    if (event === 'connection' && this.listenerCount('connect') === 0) this.on('connect', rejectConnect);
    if (event === 'request') {
      const [request, response] = args as [IncomingMessage, ServerResponse];
      response.setMaxListeners(MAX_LISTENERS);
      response.once('close', () => logUnlessLogged(idOf(request), response.statusCode, request.method));
      if (!rejectBeforeNext(request, response)) admitRequest(request, response, pass);
      return true;
    }
    return pass();
  };
}
