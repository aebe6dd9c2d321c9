import { connect, type Socket } from 'node:net';
import type postgres from 'postgres';

/** How long a socket pretends to be open after it was closed, in milliseconds. */
const CLOSE_DELAY_MS = 50;

interface SocketOptions {
  host: string[];
  port: number[];
  path?: string | false;
}

/**
 * A socket of a postgres.js pool. postgres.js 3.4.9 forgets its socket when that closes and then, to roll back a
 * transaction that was under way, writes to nothing: an exception that no caller can catch (its issue 1208, open).
 * This one reports the failure at once, so that what is under way is rejected, and the close a moment later, when
 * the rollback has been tried; that is rejected then in its turn.
 * @param onLost called when the connection ended without our asking
 */
function delayedCloseSocket(options: SocketOptions, onLost: () => void): Socket {
  const [host, port] = [options.host[0], options.port[0]];
  const socket = options.path ? connect(options.path) : connect(port ?? 5432, host);
  // postgres.js sets it on sockets of its own making, and names the server by it when it asks for TLS.
  Object.assign(socket, { host });
  let asked = false;
  const end = socket.end.bind(socket) as (...values: unknown[]) => Socket;
  socket.end = (...values: unknown[]) => {
    asked = true;
    return end(...values);
  };
  // Ahead of Node's own listener, which ends our side in answer to the server's end.
  socket.prependListener('end', () => {
    if (!asked) onLost();
    asked = true;
  });
  const emit = socket.emit.bind(socket) as (event: string, ...values: unknown[]) => boolean;
  let failed = false;
  socket.emit = (event: string, ...values: unknown[]) => {
    if (event === 'error') {
      failed = true;
      onLost();
    }
    if (event !== 'close') return emit(event, ...values);
    if (!failed && socket.listenerCount('error') > 0) {
      const lost = new Error('The database closed the connection.');
      emit('error', Object.assign(lost, { code: 'CONNECTION_CLOSED' }));
    }
    setTimeout(emit, CLOSE_DELAY_MS, 'close', false);
    return true;
  };
  return socket;
}

/** What a pool is opened with; `socket` is an option of postgres.js that its types leave out. */
type PoolOptions = postgres.Options<Record<string, never>>;

/**
 * Keeps a pool of postgres.js that outlives its database: after a connection is lost, a pool of postgres.js 3.4.9
 * holds back queries of its next transactions (a timer for writing that is cleared and never forgotten), so the pool
 * is let go, what runs on its other connections may finish, and the next caller gets a new one.
 * @param open opens a pool with the options given to it, and says how to end it
 * @returns gives the pool of the moment
 */
export function reconnectingPool<Pool>(
  open: (options: PoolOptions) => { pool: Pool; end: () => Promise<void> },
): () => Pool {
  let current: { pool: Pool; end: () => Promise<void> } | undefined;
  const reopen = () => {
    const socket = (options: SocketOptions) =>
      delayedCloseSocket(options, () => {
        if (current !== opened) return;
        current = undefined;
        // Only waits for what is under way; its failures reach those who asked.
        opened.end().catch(() => {});
      });
    // Types of arrays are asked for on every new connection, and unhandled when that dies at once.
    const opened = open({ onnotice: () => {}, fetch_types: false, ...({ socket } as PoolOptions) });
    return opened;
  };
  return () => {
    current ??= reopen();
    return current.pool;
  };
}
