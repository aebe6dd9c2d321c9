import type { Server, ServerResponse } from 'node:http';
import { log } from '@/lib/foundation/log';
import { type Connection, connections, servers } from './connections';

/** Node's own, which is shorter than that of any proxy. Milliseconds. */
const NODE_KEEP_ALIVE_MS = 5000;
/**
 * How long an idle connection stays open, in milliseconds. Longer than in the usual proxies (nginx and AWS 60 s, Traefik
 * 90 s, Caddy 2 min): if this end closed a connection first, a request that a proxy is just sending on it would fail.
 */
const KEEP_ALIVE_MS = 125_000;
/** How often connections that have become idle are closed while stopping, in milliseconds. */
const CLOSE_MS = 100;
/**
 * After how many of these checks without a request all connections are closed. Some clients stop in the middle of a request,
 * and Node's time limits end with `close`.
 */
const QUIET_CHECKS = 5;

type StopSignal = 'SIGTERM' | 'SIGINT';

interface StopTimes {
  /**
   * How long idle connections stay open, for requests that a proxy is about to send on them. The proxy should close those it
   * doesn't use sooner (`deploy/nginx.conf`). Milliseconds.
   */
  idle: number;
  /** How long clients may take to send the rest of a request, and to read the rest of an answer. Milliseconds. */
  client: number;
}

/** Ctrl-C doesn't wait for a proxy, and `npm run up` kills the site after 4 s. */
const STOP_TIMES: Record<StopSignal, StopTimes> = {
  SIGTERM: { idle: 5000, client: 20_000 },
  SIGINT: { idle: 0, client: 2000 },
};

/** Returns whether nothing is under way on a connection, not even part of a request's headers. */
const isIdle = ({ socket, open, readBefore }: Connection): boolean =>
  open.length === 0 && socket.bytesRead === readBefore;

/** Returns whether a connection has a request that's all here, and whose answer isn't: it waits for us. */
function waitsForServer({ socket, open }: Connection): boolean {
  const [response] = open;
  if (!response) return false;
  return response.req.complete && !response.writableEnded && !socket.writableNeedDrain;
}

/**
 * Keeps requests from being lost on connections that a proxy reuses, and has the process end when it's told to. Next's
 * server then accepts no more connections and exits when all are closed; until then, each answer asks the client to close
 * its connection. Connections that are open because their client does nothing are closed, whatever they're in the middle of;
 * only work of ours is waited for. Call it once.
 * @returns functions to call with each server that gets a connection, and with each answer
 */
export function stopOnSignals(times: Record<StopSignal, StopTimes> = STOP_TIMES) {
  let stopping = false;

  const stop = (signal: StopSignal) => {
    if (stopping) return;
    stopping = true;
    const open = [...connections.values()].flatMap((connection) => connection.open);
    log.info(
      { event: 'server.stopping', signal, requests: open.length },
      'the server is finishing its requests',
    );
    // Has no effect on an answer that has begun. Its connection is closed when it's idle.
    for (const response of open) response.shouldKeepAlive = false;
    // Node's `close`, which Next calls on this signal, would close them, and those whose clients still read their answer.
    for (const server of servers) server.closeIdleConnections = () => undefined;
    const { idle, client } = times[signal];
    const started = performance.now();
    let quietChecks = 0;
    const close = () => {
      const elapsed = performance.now() - started;
      if (elapsed < idle) return;
      const isQuiet = [...connections.values()].every((connection) => connection.open.length === 0);
      quietChecks = isQuiet ? quietChecks + 1 : 0;
      for (const connection of connections.values()) {
        const isOver = quietChecks > QUIET_CHECKS || elapsed >= client;
        if (isOver ? !waitsForServer(connection) : isIdle(connection)) connection.socket.destroy();
      }
    };
    close();
    setInterval(close, CLOSE_MS).unref();
  };
  // Before Next's own listener.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.prependListener(signal, () => stop(signal));
  return {
    connected(server: Server): void {
      // Unless an operator has chosen another.
      if (server.keepAliveTimeout === NODE_KEEP_ALIVE_MS) server.keepAliveTimeout = KEEP_ALIVE_MS;
      // It was told to stop while it was starting.
      if (!server.listening) stop('SIGTERM');
    },
    arrived(response: ServerResponse): void {
      if (stopping) response.shouldKeepAlive = false;
    },
  };
}
