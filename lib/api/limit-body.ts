import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientAddressOf } from '@/lib/foundation/http/client-address';
import { createByteBudget } from '@/lib/foundation/http/server/byte-budget';
import { log } from '@/lib/foundation/log';

/** How many bytes of bodies that are still arriving may be held. One client's are a few of the largest. */
const LIMITS = { client: 16_000_000, total: 64_000_000, sparesLatest: false };
/** What a chunk takes beside its bytes, so that a body in chunks of one byte counts for what it costs. */
const CHUNK_OVERHEAD = 512;

const arriving = createByteBudget<IncomingMessage>(LIMITS, (request) => {
  const requestId = request.headers['x-request-id'];
  log.warn({ event: 'request.dropped', requestId }, 'too many request bodies in flight');
  request.socket.destroy();
});

/**
 * Ends a request's body for its readers soon after the limit. They see more than the limit allows and answer 413 as
 * for any other body; nothing after that is held, whether or not they read.
 * @param limit in bytes
 * @returns whether the client has sent everything by now
 */
export function limitBody(request: IncomingMessage, response: ServerResponse, limit: number): () => boolean {
  const client = clientAddressOf(request);
  const push = request.push.bind(request);
  let size = 0;
  let held = 0;
  let ended = false;
  let arrived = false;
  const end = () => {
    ended = true;
    arriving.release(request);
    // Node would else take the early end for a lost connection, and close it before the answer is out.
    request.complete = true;
    push(null);
  };
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk === null) arrived = true;
    // Discarded, and asked for more, so that the connection is closed by time and not by waiting.
    if (ended) return true;
    if (chunk === null) {
      end();
      return false;
    }
    size += chunk.length;
    held += chunk.length + CHUNK_OVERHEAD;
    arriving.hold(request, client, held);
    const wantsMore = push(chunk, encoding);
    if (size <= limit) return wantsMore;
    // Node stops following the rest, so the connection can't be used again.
    response.shouldKeepAlive = false;
    end();
    return true;
  };
  request.once('close', () => arriving.release(request));
  response.once('close', () => arriving.release(request));
  return () => arrived;
}

/** How long a refused client may go on sending before its connection is closed, in milliseconds. */
const LINGER_MS = 1000;

/**
 * Closes a connection on which a body is still coming after its request was answered. What comes is discarded for a
 * moment: with bytes unread, the system would reset the connection, and the client might never see its answer.
 */
export function stopReceiving(
  request: IncomingMessage,
  response: ServerResponse,
  isComplete = () => request.complete,
): void {
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
