import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { RequestAborted, readBytes } from '@/lib/api/body';
import { bodyLimitOf } from '@/lib/api/body-limits';
import { errorResponse } from '@/lib/api/error-response';
import { guardServer } from '@/lib/api/guard-server';
import { useFreshDatabase } from './app-database';

/** Starts a server that reads bodies as the API does, with the guard in front of it, and a fresh database. */
export async function useGuardedServer() {
  // So that a test can send as several clients.
  const takeDown = await useFreshDatabase({ settings: { TRUSTED_PROXIES: '1' } });
  guardServer();
  /** What got past the guard, and how it ended. */
  const seen: { path: string; outcome: number | 'too large' | 'aborted' | 'unread' }[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const note = (outcome: (typeof seen)[number]['outcome']) => seen.push({ path, outcome });
    if (path.endsWith('/unread')) {
      note('unread');
      response.end('unread');
      return;
    }
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    const read = new Request(`http://localhost${path}`, {
      method: request.method ?? 'GET',
      ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' } : {}),
    } as RequestInit);
    try {
      const bytes = await readBytes(read, bodyLimitOf(request.method ?? '', path, request.headers));
      note(bytes.length);
      response.end(String(bytes.length));
    } catch (error) {
      note(error instanceof RequestAborted ? 'aborted' : 'too large');
      const answer = errorResponse(error, String(request.headers['x-request-id']));
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await takeDown();
  };
  return { url: `http://127.0.0.1:${port}`, seen, close };
}
