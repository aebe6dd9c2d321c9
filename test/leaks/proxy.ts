import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface HttpServer {
  url: string;
  close(): Promise<void>;
}

/** Starts an HTTP server on a free port of the loopback interface. */
export async function startHttpServer(
  handle: (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse) => unknown,
): Promise<HttpServer> {
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming).catch(() => undefined);
    // Whoever asks has given up before all of it was sent.
    if (body) await handle(incoming, body, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close };
}

/**
 * Forwards requests as they are, `Host` included, so that signatures stay right.
 * @param options.answerItself answers a request in the target's place, and returns true when it did
 * @param options.onExchange is called with a forwarded request and its response, headers and bodies, as text
 */
export function startProxy(
  target: () => string,
  options: {
    answerItself?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
    onExchange?: (text: string) => void;
  },
): Promise<HttpServer> {
  return startHttpServer((incoming, body, outgoing) => {
    if (options.answerItself?.(incoming, outgoing)) return;
    const { method = 'GET', url = '/', headers } = incoming;
    const forwarded = request(new URL(url, target()), { method, headers, agent: false }, async (answer) => {
      const answered = await buffer(answer).catch(() => undefined);
      if (!answered) return outgoing.destroy();
      const sent = `${method} ${url}\n${JSON.stringify(headers)}\n${body}`;
      options.onExchange?.(`${sent}\n${answer.statusCode}\n${JSON.stringify(answer.headers)}\n${answered}\n`);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.end(answered);
    });
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(body);
  });
}
