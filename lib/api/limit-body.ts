import type { IncomingMessage, ServerResponse } from 'node:http';
import { log } from '@/lib/log';

/**
 * All bodies that are still arriving may hold this many bytes together. Past that, the connection that has been sending
 * for longest is closed, so that slow senders can't fill the memory and quick ones get through.
 */
const MAX_BUFFERED_BYTES = 64_000_000;
/** What a chunk takes beside its bytes, so that a body in chunks of one byte counts for what it costs. */
const CHUNK_OVERHEAD = 512;

/** Bytes held for each request that is still sending, oldest first. */
const bufferedBytes = new Map<IncomingMessage, number>();
let total = 0;

function release(request: IncomingMessage): void {
  total -= bufferedBytes.get(request) ?? 0;
  bufferedBytes.delete(request);
}

function trackBytes(request: IncomingMessage, bytes: number): void {
  bufferedBytes.set(request, (bufferedBytes.get(request) ?? 0) + bytes);
  total += bytes;
  while (total > MAX_BUFFERED_BYTES) {
    const [oldest] = bufferedBytes.keys();
    if (!oldest) return;
    release(oldest);
    const requestId = oldest.headers['x-request-id'];
    log.warn({ event: 'request.dropped', requestId }, 'too many request bodies in flight');
    oldest.socket.destroy();
  }
}

/**
 * Ends a request's body for its readers soon after the limit. They see more than the limit allows and answer 413 as
 * for any other body; nothing after that is held, whether or not they read.
 * @param limit in bytes
 * @returns whether the client has sent everything by now
 */
export function limitBody(request: IncomingMessage, response: ServerResponse, limit: number): () => boolean {
  const push = request.push.bind(request);
  let size = 0;
  let ended = false;
  let arrived = false;
  const end = () => {
    ended = true;
    release(request);
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
    trackBytes(request, chunk.length + CHUNK_OVERHEAD);
    const wantsMore = push(chunk, encoding);
    if (size <= limit) return wantsMore;
    // Node stops following the rest, so the connection can't be used again.
    response.shouldKeepAlive = false;
    end();
    return true;
  };
  request.once('close', () => release(request));
  response.once('close', () => release(request));
  return () => arrived;
}
