import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddressOf } from '@/lib/foundation/http/client-address';
import { log } from '@/lib/foundation/log';
import { createByteBudget } from './byte-budget';

/**
 * How many bytes of answers may wait for their readers, in this process. A single answer may be larger: it's the earlier
 * ones of its client that are dropped then. Connections whose answers fit what a socket takes at once (16 kB) don't count.
 */
const LIMITS = { client: 8_000_000, total: 256_000_000, sparesLatest: true };

const unread = createByteBudget<Socket>(LIMITS, (socket) => {
  log.warn({ event: 'connection.dropped' }, 'too many unread answers');
  socket.destroy();
});

/**
 * Counts the bytes that wait in this process for a connection's client to read, and closes connections when there are too
 * many.
 * @param currentRequest - returns the request that's being answered, whose client it is
 */
export function limitUnreadAnswers(socket: Socket, currentRequest: () => IncomingMessage | undefined): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  // Node tells nobody that a socket is full but who writes to it.
  socket.write = (...args: unknown[]): boolean => {
    const hasRoom = write(...args);
    if (hasRoom && unread.heldBy(socket) === 0) return true;
    const request = currentRequest();
    if (request) unread.hold(socket, clientAddressOf(request), socket.writableLength);
    return hasRoom;
  };
  socket.on('drain', () => unread.release(socket));
  socket.once('close', () => unread.release(socket));
}
