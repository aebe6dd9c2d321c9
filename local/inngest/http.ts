import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { acceptEvents, eventsSchema } from './events';
import { listRuns, renderRuns } from './page';
import { hashSigningKey, headers, timingSafeEqualText } from './protocol';
import { UnsupportedFunction } from './registry';
import type { Sql } from './store';

/** The largest body that is taken, in bytes. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const LOCAL_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

export type HttpOptions = {
  sql: Sql;
  eventKey: string;
  signingKey: string;
  now: () => number;
  log: (line: Record<string, unknown>) => void;
  onEvents: () => void;
  /** Takes the functions and the address an app registers. @returns whether they differ. @throws UnsupportedFunction */
  register: (functions: unknown, url: string) => Promise<boolean>;
  /** Why no work is done, or undefined. */
  trouble: () => string | undefined;
};

const registrationSchema = z.looseObject({
  functions: z.unknown(),
  url: z.url({ protocol: /^https?$/ }),
});

class BodyTooLarge extends Error {
  override name = 'BodyTooLarge';
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw new BodyTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function sendResponse(response: ServerResponse, status: number, body: unknown): void {
  const isPage = typeof body === 'string';
  response.writeHead(status, {
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    'cache-control': 'no-store',
    ...(isPage ? { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" } : {}),
  });
  response.end(isPage ? body : JSON.stringify(body));
}

/**
 * The runner's HTTP interface: Inngest's event API and registration as the SDK uses them, and pages for people.
 * The pages answer only when they are asked for by a loopback name, so that no other site can read them through
 * a name that it has pointed here.
 */
export function createHttpServer(options: HttpOptions): Server {
  const { sql } = options;

  async function postEvents(request: IncomingMessage, response: ServerResponse, key: string) {
    if (!timingSafeEqualText(key, options.eventKey)) {
      return sendResponse(response, 401, { status: 401, error: 'Event key not found' });
    }
    const events = eventsSchema.parse(await readJson(request));
    const seed = request.headers[headers.eventIdSeed];
    const ids = await acceptEvents(sql, events, typeof seed === 'string' ? seed : undefined, options.now());
    sendResponse(response, 200, { ids, status: 200 });
    options.onEvents();
  }

  async function register(request: IncomingMessage, response: ServerResponse) {
    const expected = `Bearer ${hashSigningKey(options.signingKey)}`;
    if (!timingSafeEqualText(request.headers.authorization ?? '', expected)) {
      return sendResponse(response, 401, {
        status: 401,
        error: 'The signing key is not the same here and there.',
      });
    }
    const body = registrationSchema.parse(await readJson(request));
    const modified = await options.register(body.functions, body.url);
    sendResponse(response, 200, { ok: true, status: 200, modified });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const route = `${request.method} ${pathname}`;
    const [, key] = /^POST \/e\/([^/]+)$/.exec(route) ?? [];
    if (key) return postEvents(request, response, decodeURIComponent(key));
    if (route === 'POST /fn/register') return register(request, response);
    const trouble = options.trouble();
    if (route === 'GET /health') {
      await sql`SELECT 1`;
      return sendResponse(response, 200, { status: 'ok', trouble: trouble ?? null });
    }
    if (route === 'GET /' || route === 'GET /runs.json') {
      if (!LOCAL_HOST.test(request.headers.host ?? '')) return sendResponse(response, 403, { status: 403 });
      const runs = await listRuns(sql);
      return sendResponse(response, 200, route === 'GET /' ? renderRuns(runs, trouble) : { runs });
    }
    const error = `The local runner has no ${route}.`;
    options.log({ level: 'warn', message: error });
    sendResponse(response, 404, { status: 404, error });
  }

  function refuse(response: ServerResponse, error: unknown): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const isBad = error instanceof z.ZodError || error instanceof SyntaxError || error instanceof URIError;
    let status = 503;
    let message = 'The runner cannot reach its database.';
    if (error instanceof BodyTooLarge) [status, message] = [413, 'The body is too large.'];
    else if (error instanceof UnsupportedFunction) [status, message] = [400, error.message];
    else if (error instanceof z.ZodError) [status, message] = [400, z.prettifyError(error)];
    else if (isBad) [status, message] = [400, String(error)];
    else options.log({ level: 'error', message, error: String(error) });
    // What is left of the body is not read, so the connection cannot serve another request.
    response.setHeader('connection', 'close');
    sendResponse(response, status, { status, error: message });
  }

  return createServer((request, response) => {
    handle(request, response).catch((error) => refuse(response, error));
  });
}
