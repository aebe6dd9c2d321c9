import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import {
  hasApiKey,
  isSameSecret,
  jsonReply,
  type LoopbackServer,
  RefusedRequest,
  type Reply,
  readBody,
  startLoopbackServer,
} from '../loopback-server';
import { acceptEvents, eventsSchema } from './events';
import { listRuns, renderRuns } from './page';
import { hashSigningKey } from './protocol';
import { UnsupportedFunction } from './registry';
import type { Sql } from './store';

const MAX_BODY_BYTES = 10 * 1024 * 1024;

export type HttpOptions = {
  sql: Sql;
  eventKey: string;
  signingKey: string;
  now: () => number;
  log: (line: Record<string, unknown>) => void;
  onEvents: () => void;
  /** Takes the functions and the address an app registers. @returns whether they differ. @throws UnsupportedFunction */
  register: (functions: unknown, url: string) => Promise<boolean>;
  /** Returns the ids of an app's functions, each with the app's before it. */
  functionIds: () => string[];
  /** Returns why no work is done, or undefined. */
  problem: () => string | undefined;
};

const registrationSchema = z.looseObject({
  functions: z.unknown(),
  url: z.url({ protocol: /^https?$/ }),
});

const errorReply = (status: number, error: string): Reply => jsonReply(status, { status, error });

async function readJson(request: IncomingMessage): Promise<unknown> {
  return JSON.parse(await readBody(request, MAX_BODY_BYTES));
}

/**
 * Starts the runner's HTTP interface: Inngest's event API and registration as the SDK uses them, and pages for people.
 */
export function startHttpServer(port: number | undefined, options: HttpOptions): Promise<LoopbackServer> {
  const { sql } = options;

  async function postEvents(request: IncomingMessage, key: string): Promise<Reply> {
    if (!isSameSecret(key, options.eventKey)) return errorReply(401, 'Event key not found');
    const events = eventsSchema.parse(await readJson(request));
    const ids = await acceptEvents(sql, events, options.now());
    options.onEvents();
    return jsonReply(200, { ids, status: 200 });
  }

  async function register(request: IncomingMessage): Promise<Reply> {
    if (!hasApiKey(request, hashSigningKey(options.signingKey))) {
      return errorReply(401, 'The app and the runner have different signing keys.');
    }
    const body = registrationSchema.parse(await readJson(request));
    const modified = await options.register(body.functions, body.url);
    return jsonReply(200, { ok: true, status: 200, modified });
  }

  /** Lists an app's functions, as Inngest's API does. */
  function listFunctions(request: IncomingMessage, app: string): Reply {
    if (!hasApiKey(request, hashSigningKey(options.signingKey)))
      return errorReply(401, 'Authentication failed');
    const ids = options.functionIds().filter((id) => id.startsWith(`${app}-`));
    return jsonReply(
      200,
      ids.map((slug) => ({ slug })),
    );
  }

  async function handle(request: IncomingMessage): Promise<Reply> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const route = `${request.method} ${pathname}`;
    const [, key] = /^POST \/e\/([^/]+)$/.exec(route) ?? [];
    if (key) return postEvents(request, decodeURIComponent(key));
    const [, app] = /^GET \/v1\/apps\/([\w-]+)\/functions$/.exec(route) ?? [];
    if (app) return listFunctions(request, app);
    const problem = options.problem();
    switch (route) {
      case 'POST /fn/register':
        return register(request);
      case 'GET /health':
        await sql`SELECT 1`;
        return jsonReply(200, { status: 'ok', problem: problem ?? null });
      case 'GET /runs.json':
        return jsonReply(200, { runs: await listRuns(sql) });
      case 'GET /':
        return {
          status: 200,
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
          },
          body: renderRuns(await listRuns(sql), problem),
        };
    }
    const error = `The local runner has no ${route}.`;
    options.log({ level: 'warn', message: error });
    return errorReply(404, error);
  }

  function toReply(error: unknown): Reply {
    if (error instanceof RefusedRequest) return errorReply(error.status, error.message);
    if (error instanceof UnsupportedFunction) return errorReply(400, error.message);
    if (error instanceof z.ZodError) return errorReply(400, z.prettifyError(error));
    if (error instanceof SyntaxError || error instanceof URIError) return errorReply(400, String(error));
    const message = "The runner can't reach its database.";
    options.log({ level: 'error', message, error: String(error) });
    return errorReply(503, message);
  }

  return startLoopbackServer({ port, handle, toReply });
}
