import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { log } from '@/lib/foundation/log';

type Emit = typeof Server.prototype.emit;

interface ServerHandlers {
  /** A connection was accepted, of which nothing has been read. */
  connected: (socket: Socket, server: Server) => void;
  /** A request's headers have arrived. Also one that Node answers by itself, such as one without a host. */
  arrived: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a request, or calls `pass`, now or later, to hand it to the server's own listener. */
  requested: (request: IncomingMessage, response: ServerResponse, pass: () => void) => void;
  /** Answers a CONNECT. */
  tunneled: (request: IncomingMessage, socket: Socket) => void;
  /** Answers what isn't HTTP, or returns false to leave it to Node. */
  malformed: (error: NodeJS.ErrnoException, socket: Socket) => boolean;
}

const shared = globalThis as typeof globalThis & {
  /** Set by `hold-connections.cjs`. */
  daylightHeldConnections?: { emit: Emit; connections: { server: Server; socket: Socket }[] };
};

/** Has Node tell of a CONNECT, which it does only where somebody listens. The event itself never gets here. */
const listens = (): void => undefined;

/** Node answers a request that's one too many on its connection by itself, and then tells of it. */
const NODE_ANSWERS = 'dropRequest';

function refuseUnknown(event: string | symbol, taken: Socket | IncomingMessage): void {
  log.warn({ event: 'connection.refused', name: String(event) }, 'refused a connection');
  (taken instanceof Socket ? taken : taken.socket).destroy();
}

/**
 * Closes connections that servers accepted before anybody could intercept them, where the process was started without
 * `hold-connections.cjs`.
 */
export function closeEarlierConnections(): void {
  if (shared.daylightHeldConnections) return;
  // Node has no other way to find them: their server isn't known yet.
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles?: () => object[] };
  for (const handle of handles?.call(process) ?? []) {
    if (handle instanceof Socket && 'server' in handle && handle.server instanceof Server) handle.destroy();
  }
}

/**
 * Puts handlers in front of every HTTP server of this process, whoever makes it. Denies by default: an event that hands a
 * connection or a request to anybody else closes it, also events that a later version of Node adds. Call it once.
 * @param options.allowsUpgrades - for the connections over which a development server reloads pages
 */
export function interceptServers(handlers: ServerHandlers, { allowsUpgrades = false } = {}): void {
  const { emit, connections } = shared.daylightHeldConnections ?? {
    emit: Server.prototype.emit,
    connections: [],
  };
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    handlers.arrived(request, response);
  });

  // Node has no other place between its parser and a server's own listeners.
  Server.prototype.emit = function intercept(event: string | symbol, ...args: unknown[]): boolean {
    const pass = () => emit.apply(this, [event, ...args] as Parameters<Emit>);
    if (event === 'request') {
      const [request, response] = args as [IncomingMessage, ServerResponse];
      handlers.requested(request, response, pass);
      return true;
    }
    if (event === 'connection') {
      // Without a listener, Node ignores the header `Upgrade` and answers the request (RFC 9110, 7.8).
      if (!allowsUpgrades) this.removeAllListeners('upgrade');
      if (this.listenerCount('connect') === 0) this.on('connect', listens);
      handlers.connected(args[0] as Socket, this);
      return pass();
    }
    if (event === 'connect') {
      handlers.tunneled(args[0] as IncomingMessage, args[1] as Socket);
      return true;
    }
    if (event === 'clientError') {
      return handlers.malformed(args[0] as NodeJS.ErrnoException, args[1] as Socket) || pass();
    }
    if (event === NODE_ANSWERS || (event === 'upgrade' && allowsUpgrades)) return pass();
    const taken = args.find((it) => it instanceof Socket || it instanceof IncomingMessage);
    if (!taken) return pass();
    refuseUnknown(event, taken);
    return true;
  };

  for (const { server, socket } of connections.splice(0)) {
    if (!socket.destroyed) server.emit('connection', socket);
  }
}
