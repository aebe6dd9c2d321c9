import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS, type ErrorCode } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';
import { SHARE_MISSED, SHARE_PATH } from '@/lib/foundation/http/share-target';
import { pathOf } from '@/lib/foundation/request-path';
import { bodyLimitOf } from './body-limits';
import { limitBody, stopReceiving } from './limit-body';
import { allowedMethods, isWellEscaped, lacksMethod, repairEscapes } from './paths';
import { idOf, sendResponse } from './raw-response';
import { logRejection } from './rejections';

const READ_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const KNOWN_METHODS = [...READ_METHODS, 'POST', 'PUT', 'PATCH', 'DELETE'];
/** What a browser sends when a form is submitted before the page's scripts have loaded. */
const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const rejectWithStatus =
  (status: number, headers: Record<string, string>): Answer =>
  (request, response) => {
    logRejection(idOf(request), { status, method: request.method });
    sendResponse(response, status, headers);
  };

/** Answers with an error of the closed table. */
const rejectWith =
  (code: ErrorCode): Answer =>
  (request, response) => {
    const [status, message] = ERRORS[code];
    logRejection(idOf(request), { code, status, method: request.method });
    sendResponse(response, status, {}, { message, code });
  };

const rejectMethod = (path: string) => rejectWithStatus(405, { allow: allowedMethods(path) });
const rejectSize = rejectWith('too_large');

/**
 * Returns what answers a request by its headers alone; undefined if they're fine.
 * @param size what its body has at least, in bytes
 */
function findRejection(method: string, path: string, size: number, limit: number): Answer | undefined {
  // Next answers a method that a route doesn't have without `Allow` (RFC 9110, 15.5.6).
  if (lacksMethod(path, method)) return rejectMethod(path);
  // A video, of any size, that somebody shared to the installed app while no service worker ran.
  if (method === 'POST' && path === SHARE_PATH) {
    return (_, response) => sendResponse(response, 303, { location: SHARE_MISSED });
  }
  if (size > limit) return rejectSize;
  if (!KNOWN_METHODS.includes(method)) return rejectMethod(path);
  // Next takes neither an asterisk (RFC 9112, 3.2.4) nor a bad escape, which a page's address may have.
  if (!path.startsWith('/') || (path.startsWith('/api/') && !isWellEscaped(path)))
    return rejectWith('bad_request');
  return undefined;
}

/**
 * Returns what answers a request to a page that isn't a read. Pages take no input this way, but a form that is submitted
 * before the scripts have loaded gets its page again instead of a browser's error.
 */
function pageRejection({ method, url = '', headers }: IncomingMessage, path: string): Answer {
  const isForm = method === 'POST' && FORM.test(headers['content-type'] ?? '');
  // A path with two slashes in front would be another host.
  const isHere = /^\/(?![/\\])/.test(url);
  return isForm && isHere ? rejectWithStatus(303, { location: url }) : rejectMethod(path);
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;
/** What health checks call this machine. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether a host, with or without a port, is the site's. Proxies lead from other ports to this one. */
function isOurs(host: string): boolean {
  const address = `http://${host}`;
  if (!URL.canParse(address)) return false;
  const { hostname, username, password } = new URL(address);
  if (username || password) return false;
  return hostname === new URL(env().APP_URL).hostname || LOOPBACK.includes(hostname);
}

/**
 * Makes the target of a request an address on this site, if it names a host: what it names counts, and not the header
 * `Host` (RFC 9112, 3.2.2). Next and our own rules expect a path.
 * @returns false if the host isn't ours, which takes 421 Misdirected Request (RFC 9110, 7.4)
 */
function takeAbsoluteForm(request: IncomingMessage): boolean {
  const { url = '' } = request;
  if (url.startsWith('/')) return true;
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined) return true;
  if (!isOurs(host)) return false;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = host;
  return true;
}

/**
 * Handles a request that Next must not see. Returns false for every other one, of which it bounds what this process reads:
 * Next itself reads any body of a POST in full, whoever sends it.
 */
export function rejectBeforeNext(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = '', headers } = request;
  const isOurs = takeAbsoluteForm(request);
  const path = pathOf(request);
  const isChunked = headers['transfer-encoding'] !== undefined;
  // A chunked body doesn't declare its size, which is one byte at least.
  const declared = isChunked ? 1 : Number(headers['content-length'] ?? 0);
  const limit = bodyLimitOf(method, path, headers);

  const reject = isOurs ? findRejection(method, path, declared, limit) : rejectWithStatus(421, {});
  if (reject) {
    if (declared > 0) stopReceiving(request, response);
    reject(request, response);
    return true;
  }
  // A page finds nothing by a name with U+FFFD in it, and an old link's title doesn't matter.
  if (!isWellEscaped(path)) request.url = repairEscapes(request.url ?? '');
  if (declared > 0) {
    const hasArrived = limitBody(request, response, limit);
    if (isChunked) stopReceiving(request, response, hasArrived);
  }
  if (path.startsWith('/api/') || READ_METHODS.includes(method)) return false;

  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
  });
  request.once('end', () => {
    const answer = size > limit ? rejectSize : pageRejection(request, path);
    answer(request, response);
  });
  return true;
}
