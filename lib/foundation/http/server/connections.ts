import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddressOf } from '@/lib/foundation/http/client-address';
import { log } from '@/lib/foundation/log';
import { createByteBudget } from './byte-budget';

/** How often to look which connections are stalled, in milliseconds. */
const SWEEP_MS = 5000;
/** After how many looks without progress a connection is closed: 20 s. By count, so that a busy process closes nothing. */
const STALLED_SWEEPS = 4;
/**
 * The system takes this many bytes off our hands without the client reading anything (Linux's `tcp_wmem`), and may take more
 * only once the client has read as many.
 */
const SYSTEM_BUFFER = 4_200_000;
/** The least that somebody reads who isn't stalled, in bytes per second. */
const SLOW_READER = 16_000;
/** How many requests a client may send ahead of its answers. No browser and no proxy does so at all. */
const MAX_PIPELINED = 16;

export interface Connection {
  readonly socket: Socket;
  /** Answers that aren't finished, in order: several if the client sends requests ahead. */
  readonly open: ServerResponse[];
  /** How many bytes had been read when its last answer was out. More have, while a request arrives. */
  readBefore: number;
  /** Bytes of answers that have left this process. */
  sent: number;
  /** How many looks in a row found bytes waiting, and none that had left since the one before. */
  idleSweeps: number;
}

/** Every open connection of this process's servers, by its socket. */
export const connections = new Map<Socket, Connection>();
/** The servers that have had a connection. */
export const servers = new Set<Server>();

/**
 * How many bytes of answers may wait for their readers, in this process. A single answer may be larger: it's the earlier
 * ones of its client that are dropped then. Connections whose answers fit what a socket takes at once (16 kB) don't count.
 */
const UNREAD_BYTES = { client: 8_000_000, total: 256_000_000, sparesLatest: true };

const unread = createByteBudget<Socket>(UNREAD_BYTES, (socket) => {
  log.warn({ event: 'connection.dropped' }, 'too many unread answers');
  socket.destroy();
});

/**
 * Counts the bytes that wait in this process for a connection's client to read, and closes connections when there are too
 * many.
 * @param currentRequest - returns the request that's being answered, whose client it is
 */
function limitUnreadAnswers(socket: Socket, currentRequest: () => IncomingMessage | undefined): void {
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

/** Starts to watch a connection. */
export function trackConnection(socket: Socket, server: Server): void {
  servers.add(server);
  const connection: Connection = { socket, open: [], readBefore: 0, sent: 0, idleSweeps: 0 };
  connections.set(socket, connection);
  socket.once('close', () => connections.delete(socket));
  limitUnreadAnswers(socket, () => connection.open[0]?.req);
}

/** Notes which answer a connection is for. */
export function trackAnswer({ socket }: IncomingMessage, response: ServerResponse): void {
  const connection = connections.get(socket);
  if (!connection) return;
  const { open } = connection;
  open.push(response);
  response.once('close', () => {
    open.splice(open.indexOf(response), 1);
    connection.readBefore = socket.bytesRead;
  });
}

/**
 * Calls `start` once the earlier answers on a request's connection are out, so that a connection has one answer in memory
 * at most. Closes the connection of a client that sends ever more requests ahead.
 */
export function startInTurn(request: IncomingMessage, response: ServerResponse, start: () => void): void {
  const { socket } = request;
  const open = connections.get(socket)?.open ?? [];
  const before = open[open.indexOf(response) - 1];
  if (open.length > MAX_PIPELINED) {
    log.info(
      { event: 'connection.refused', requests: open.length },
      'too many requests ahead of their answers',
    );
    socket.destroy();
  } else if (before && !before.closed) {
    // The end of another request starts it, whose context it must not get.
    const startUnlessGone = () => socket.destroyed || start();
    before.once('close', AsyncResource.bind(startUnlessGone));
  } else start();
}

/** Returns how many bytes the system has taken. `writableLength` counts a large chunk until all of it has left. */
function bytesSent(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle: { bytesWritten: number; writeQueueSize: number } | null;
  };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}

/** Returns how many looks without progress to wait, with as many bytes as the system may still have of them. */
const allowedSweeps = (sent: number): number =>
  Math.max(STALLED_SWEEPS, Math.min(sent, SYSTEM_BUFFER) / SLOW_READER / (SWEEP_MS / 1000));

/** Closes connections whose clients have stopped reading what waits for them. */
export function closeStalledConnections(): void {
  for (const connection of connections.values()) {
    const { socket, open } = connection;
    const sent = bytesSent(socket);
    if (socket.writableLength === 0 || sent !== connection.sent) connection.idleSweeps = 0;
    else connection.idleSweeps += 1;
    connection.sent = sent;
    if (connection.idleSweeps < allowedSweeps(sent)) continue;
    const requestId = open[0]?.req.headers['x-request-id'];
    log.info({ event: 'connection.stalled', requestId }, 'the client has stopped reading');
    socket.destroy();
  }
}

/** Starts to look for stalled connections from time to time. */
export function watchConnections(): void {
  setInterval(closeStalledConnections, SWEEP_MS).unref();
}
