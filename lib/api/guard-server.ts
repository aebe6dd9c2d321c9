import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { receiveHeaders } from '@/lib/foundation/http/server/arrival';
import {
  startInTurn,
  trackAnswer,
  trackConnection,
  watchConnections,
} from '@/lib/foundation/http/server/connections';
import { closeEarlierConnections, interceptServers } from '@/lib/foundation/http/server/intercept-servers';
import { stopOnSignals } from '@/lib/foundation/http/server/stop-on-signals';
import { log } from '@/lib/foundation/log';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { admitRequest } from './overload';
import { idOf } from './raw-response';
import { logUnlessLogged, trackRejections } from './rejections';
import { rejectBeforeNext } from './request-guard';

/** How many listeners wait for the end of a response before Node warns of a leak: seven of Next's, and up to six of ours. */
const MAX_LISTENERS = 20;
const ABORTED = ['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE'];
const MALFORMED: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

const guard = perProcess('server-guard', () => ({ isActive: false }));

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

/** Refuses what Next must not see, and what this process has no time for. */
function guardRequest(request: IncomingMessage, response: ServerResponse, pass: () => void): void {
  response.setMaxListeners(MAX_LISTENERS);
  if (rejectBeforeNext(request, response)) return;
  startInTurn(request, response, () => admitRequest(request, response, pass));
}

interface Options {
  /** Whether the server may hand connections to others, as a development server does to reload pages. */
  allowsUpgrades?: boolean;
  /** Whether this process is the site's server and nothing else, so that its signals are for the server. */
  ownsProcess?: boolean;
}

/**
 * Puts a guard in front of the HTTP servers of this process, on every path: it watches their connections, hands requests to
 * Next that it has checked, refuses everything else, and ends in time when it's told to. Call it before the first request.
 * Once is enough. Where the platform runs its own server, as serverless ones do, its limits and those of the routes hold alone.
 */
export function guardServer({ allowsUpgrades = false, ownsProcess = false }: Options = {}): void {
  if (guard.isActive) return;
  guard.isActive = true;
  trackRejections();
  watchConnections();
  const stopping = ownsProcess ? stopOnSignals() : undefined;
  if (ownsProcess) closeEarlierConnections();
  interceptServers(
    {
      connected: (socket, server) => {
        trackConnection(socket, server);
        stopping?.connected(server);
      },
      arrived: (request, response) => {
        receiveHeaders(request, response);
        trackAnswer(request, response);
        // We don't switch, and such a client can't use the connection for more requests.
        if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
        stopping?.arrived(response);
        response.once('close', () => logUnlessLogged(idOf(request), response.statusCode, request.method));
      },
      requested: guardRequest,
      tunneled: rejectConnect,
      malformed: rejectMalformed,
    },
    { allowsUpgrades },
  );
}
