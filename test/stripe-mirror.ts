import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** stripe-mock takes any key that looks like this one. */
const MOCK_KEY = 'Bearer sk_test_123';

/** Sends a request on. Fetch sets the headers that belong to the connection. */
async function forward(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer,
  target: string,
  more: Record<string, string> = {},
): Promise<Response> {
  const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
  return fetch(new URL(url, target), {
    method,
    headers: { ...(rest as Record<string, string>), ...more },
    redirect: 'manual',
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  });
}

/**
 * Stands between the app and the local Stripe, and has stripe-mock check every API request against Stripe's own
 * description of its API. A request that the local Stripe takes and stripe-mock refuses gets stripe-mock's error.
 */
export async function startStripeMirror(local: () => string, mock: string) {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    let answer = await forward(request, body, local());
    if (answer.ok && request.url?.startsWith('/v1/')) {
      const verdict = await forward(request, body, mock, { authorization: MOCK_KEY });
      if (!verdict.ok) answer = verdict;
    }
    const { status, headers } = answer;
    const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = Object.fromEntries(headers);
    response.writeHead(status, rest).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
