import type { IncomingMessage, ServerResponse } from 'node:http';
import { SHARE_MISSED, SHARE_PATH } from '@/lib/foundation/http/share-target';
import { pathOf } from '@/lib/foundation/request-path';
import { bodyLimitOf } from './body-limits';
import { limitBody } from './limit-body';
import { allowedMethods, isWellEscaped, lacksMethod, repairEscapes } from './paths';
import { idOf, rejectWith, sendResponse } from './raw-response';
import { logRejection } from './rejections';
import { takeAbsoluteForm } from './request-target';

/** How long a refused client may go on sending before its connection is closed, in milliseconds. */
const LINGER_MS = 1000;
const KNOWN_METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** What a browser sends when a form is submitted before the page's scripts have loaded. */
const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

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

/**
 * Handles a request that Next must not see. Returns false for every other one, of which it bounds what this process reads:
 * Next itself reads any body of a POST in full, whoever sends it.
 */
export function rejectBeforeNext(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = '' } = request;
  const chunked = request.headers['transfer-encoding'] !== undefined;
  const declared = Number(request.headers['content-length'] ?? 0);
  const hasBody = chunked || declared > 0;
  if (!takeAbsoluteForm(request)) {
    if (hasBody) stopReceiving(request, response, () => request.complete);
    logRejection(idOf(request), { status: 421, method });
    sendResponse(response, 421, {});
    return true;
  }
  const path = pathOf(request);
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
  const isTarget = path.startsWith('/');
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
