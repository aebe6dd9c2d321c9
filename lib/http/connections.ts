import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { log } from '@/lib/log';

/** Node's own, which is shorter than that of any proxy. Milliseconds. */
const NODE_KEEP_ALIVE_MS = 5000;
/**
 * How long an idle connection stays open, in milliseconds. Longer than in the usual proxies (nginx and AWS 60 s, Traefik
 * 90 s, Caddy 2 min): if this end closed a connection first, a request that a proxy is just sending on it would fail.
 */
const KEEP_ALIVE_MS = 125_000;
/**
 * How long idle connections stay open after SIGTERM, for requests that a proxy is about to send on them. The proxy should
 * close those it doesn't use sooner (`deploy/nginx.conf`). Milliseconds.
 */
const DRAIN_MS = 5000;
/** How often connections that have become idle are closed after that, in milliseconds. */
const CLOSE_MS = 100;
/**
 * After how many of these checks without a request all connections are closed. Some clients open one that they don't use,
 * or stop in the middle of a request: Node doesn't call these idle, and its time limits end with `close`.
 */
const QUIET_CHECKS = 5;

const shared = globalThis as typeof globalThis & { daylightManagesConnections?: true };

/**
 * Keeps requests from being lost on connections that a proxy reuses. They stay open longer than the proxy keeps them.
 * When the process is told to stop, Next's server accepts no more connections and exits when all are closed; until then,
 * each answer asks the client to close its connection. After SIGTERM, idle ones stay open for a moment; after SIGINT
 * (Ctrl-C), Node closes them at once. Call it once, before the first request.
 */
export function manageConnections(): void {
  if (shared.daylightManagesConnections) return;
  shared.daylightManagesConnections = true;
  const servers = new Set<Server>();
  const open = new Set<ServerResponse>();
  let stopping = false;

  subscribe('http.server.request.start', (message) => {
    const { server, response } = message as {
      request: IncomingMessage;
      response: ServerResponse;
      server: Server;
    };
    servers.add(server);
    // Unless an operator has chosen another.
    if (server.keepAliveTimeout === NODE_KEEP_ALIVE_MS) server.keepAliveTimeout = KEEP_ALIVE_MS;
    if (stopping) response.shouldKeepAlive = false;
    open.add(response);
    response.once('close', () => open.delete(response));
  });

  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info(
      { event: 'server.stopping', signal, requests: open.size },
      'the server is finishing its requests',
    );
    // Has no effect on an answer that has begun. Its connection is closed when it's idle.
    for (const response of open) response.shouldKeepAlive = false;
    let quietChecks = 0;
    const closeIdle = () => {
      quietChecks = open.size === 0 ? quietChecks + 1 : 0;
      for (const server of servers) {
        if (quietChecks > QUIET_CHECKS) server.closeAllConnections();
        else server.closeIdleConnections();
      }
    };
    const closeFromNowOn = () => {
      for (const server of servers) Reflect.deleteProperty(server, 'closeIdleConnections');
      closeIdle();
      setInterval(closeIdle, CLOSE_MS).unref();
    };
    if (signal === 'SIGINT') {
      closeFromNowOn();
      return;
    }
    // Node's `close`, which Next calls on this signal, would close them.
    for (const server of servers) server.closeIdleConnections = () => undefined;
    setTimeout(closeFromNowOn, DRAIN_MS).unref();
  };
  // Before Next's own listener.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.prependListener(signal, () => stop(signal));
}
