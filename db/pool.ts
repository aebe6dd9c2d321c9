import { connect, type Socket } from 'node:net';
import type postgres from 'postgres';

/** How long a socket pretends to be open after it has closed, in milliseconds. */
const CLOSE_DELAY_MS = 50;

interface SocketOptions {
  host: string[];
  port: number[];
  path?: string | false;
}

/**
 * Creates a socket for a postgres.js pool. postgres.js 3.4.9 forgets its socket when it closes, and then writes to
 * nothing to roll back an open transaction: an exception that no caller can catch (its issue 1208, open). This socket
 * reports the failure right away, which rejects what's running, and the close a moment later, after the rollback has
 * been attempted and rejected in turn.
 * @param onLost called when the connection ended without our asking
 */
function delayedCloseSocket(options: SocketOptions, onLost: () => void): Socket {
  const [host, port] = [options.host[0], options.port[0]];
  const socket = options.path ? connect(options.path) : connect(port ?? 5432, host);
  // postgres.js sets this on sockets it creates, and uses it as the server name when it asks for TLS.
  Object.assign(socket, { host });
  let asked = false;
  const end = socket.end.bind(socket) as (...values: unknown[]) => Socket;
  socket.end = (...values: unknown[]) => {
    asked = true;
    return end(...values);
  };
  // Runs before Node's own listener, which closes our side when the server ends the connection.
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

/** A pool's options. `socket` is a postgres.js option that its types omit. */
export type PoolOptions = postgres.Options<Record<string, never>>;

/**
 * Keeps a postgres.js pool working when its database restarts. After losing a connection, a postgres.js 3.4.9 pool
 * holds back queries of its next transactions (it clears a write timer but never forgets it). So this drops the pool,
 * lets what's running on its other connections finish, and gives the next caller a new one.
 * @param open opens a pool with the given options, and returns how to end it. It may call `drop` when the pool should be
 * replaced for another reason.
 * @returns a function that returns the current pool
 */
export function reconnectingPool<Pool>(
  open: (options: PoolOptions, drop: () => void) => { pool: Pool; end: () => Promise<void> },
): () => Pool {
  let current: { pool: Pool; end: () => Promise<void> } | undefined;
  const reopen = () => {
    const drop = () => {
      if (current !== opened) return;
      current = undefined;
      // Only waits for running queries; their failures reach their callers.
      opened.end().catch(() => {});
    };
    const socket = (options: SocketOptions) => delayedCloseSocket(options, drop);
    // With `fetch_types`, every new connection would query array types, and the rejection would go unhandled if it
    // dies right away.
    const options = { onnotice: () => {}, fetch_types: false, ...({ socket } as PoolOptions) };
    const opened = open(options, drop);
    return opened;
  };
  return () => {
    current ??= reopen();
    return current.pool;
  };
}
