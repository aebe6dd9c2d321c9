import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A complete response. It's sent with headers that keep it out of caches, frames and other pages. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string };

export type LoopbackServer = {
  url: string;
  port: number;
  /** Stops listening and cuts requests that take longer than `graceMs` (0 by default). */
  close(graceMs?: number): Promise<void>;
};

/** A request that every service refuses in the same way. */
export class RefusedRequest extends Error {
  constructor(
    readonly status: 403 | 413,
    message: string,
  ) {
    super(message);
  }
}

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

export const jsonReply = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

/** Compares two secrets of any length in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Returns whether a request has this bearer key. */
export const hasApiKey = (request: IncomingMessage, key: string): boolean =>
  isSameSecret(request.headers.authorization ?? '', `Bearer ${key}`);

/** Escapes text for HTML, including attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Reads a body of at most `maxBytes` as text. Throws RefusedRequest 413 once a larger one has been read and dropped.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  if (size > maxBytes) throw new RefusedRequest(413, `The body is larger than ${maxBytes} bytes.`);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Serves HTTP on 127.0.0.1 for a stand-in. Requests under any name but a loopback one get 403, because a website
 * could point its own name at this address and read the responses. Rejects when the port is taken.
 */
export async function startLoopbackServer(options: {
  /** A free port if 0 or unset. */
  port?: number | undefined;
  /** Returns the response, or undefined when it has sent one itself. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<Reply | undefined>;
  /** Returns the response to an error in the service's protocol. Not called once a response has started. */
  toReply(error: unknown): Reply;
  log?: ((line: Record<string, unknown>) => void) | undefined;
}): Promise<LoopbackServer> {
  const running = new Set<Promise<void>>();

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    try {
      if (!LOCAL_HOST.test(request.headers.host ?? '')) {
        throw new RefusedRequest(403, 'This server answers to loopback names only.');
      }
      const reply = await options.handle(request, response);
      if (reply) send(request, response, reply);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else send(request, response, options.toReply(error));
    }
    // Logs the path only, because a query may have an email address.
    const path = request.url?.split('?')[0];
    const ms = Math.round(performance.now() - started);
    options.log?.({ method: request.method, path, status: response.statusCode, ms });
  }

  function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
    // Reads and drops the rest of the body, because a client reads the response only after it has sent everything.
    request.unpipe().resume();
    if (!server.listening) response.setHeader('connection', 'close');
    const body = reply.body ?? '';
    response
      .writeHead(reply.status, {
        'cache-control': 'no-store',
        'content-length': Buffer.byteLength(body),
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        ...reply.headers,
      })
      .end(body);
  }

  const server = createServer((request, response) => {
    const done: Promise<void> = respond(request, response).finally(() => running.delete(done));
    running.add(done);
  });
  // A large upload may take any time.
  server.requestTimeout = 0;
  // Closing an idle connection could cut a request that the client is just sending.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close(graceMs = 0) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
