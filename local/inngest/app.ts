import { randomUUID } from 'node:crypto';
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { canonicalJson, type ExecutionRequest, headers, isSignedBy, sign } from './protocol';

export type AppResponse = { status: number; headers: Record<string, string | undefined>; body: unknown };

/** The app couldn't be reached, didn't answer in time, or something else responded in its place. */
export class AppUnavailable extends Error {
  override name = 'AppUnavailable';
}

/** The app responds, but in a mode or with a key that can't work. The message says what to set. */
export class AppMisconfigured extends Error {
  override name = 'AppMisconfigured';
}

export type AppClient = {
  /** Asks the app for its functions (in-band sync). */
  sync(): Promise<AppResponse>;
  execute(functionId: string, stepId: string, jobId: string, body: ExecutionRequest): Promise<AppResponse>;
  /** Aborts all requests in progress. */
  abort(): void;
};

/** How long a sync may take, in milliseconds. */
const SYNC_TIMEOUT_MS = 60_000;

/** The longest body the app may answer with, in bytes: Inngest's limits for a step's output and its input. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/**
 * Returns a client for the app's Inngest endpoint. It signs its requests and only accepts signed responses.
 *
 * @param requestMs how long an execution may take, in milliseconds
 */
export function createAppClient(appUrl: () => string, signingKey: string, requestMs: number): AppClient {
  const underWay = new Set<ClientRequest>();

  /**
   * Uses plain `node:http`, because `fetch` gives up if no header arrives within five minutes, and a new connection for
   * each request, because the app may close an idle one just as it's used again.
   */
  function send(
    method: string,
    url: URL,
    body: string,
    extra: Record<string, string>,
    timeoutMs: number,
  ): Promise<{ status: number; headers: AppResponse['headers']; text: string }> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error) =>
        reject(new AppUnavailable(error.message || String(error), { cause: error }));
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method,
        agent: false,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          [headers.signature]: sign(body, signingKey),
          ...extra,
        },
      });
      underWay.add(request);
      const late = () => request.destroy(new Error(`No answer within ${timeoutMs / 1000} s.`));
      const timer = setTimeout(late, timeoutMs);
      request.on('close', () => {
        clearTimeout(timer);
        underWay.delete(request);
      });
      request.on('socket', (socket) => socket.setKeepAlive(true, 15_000));
      request.on('error', fail);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > MAX_RESPONSE_BYTES) response.destroy(new Error('The answer exceeds 8 MiB.'));
        });
        response.on('error', fail);
        response.on('end', () => {
          if (!response.complete) return fail(new Error('The answer was cut off.'));
          const single = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(single) as AppResponse['headers'],
            text: Buffer.concat(chunks).toString('utf8'),
          });
        });
      });
      request.end(body);
    });
  }

  async function ask(...args: Parameters<typeof send>): Promise<AppResponse> {
    const { text, ...answer } = await send(...args);
    if (isSignedBy(signingKey, text, answer.headers[headers.signature])) {
      return { ...answer, body: text === '' ? undefined : JSON.parse(text) };
    }
    if (answer.headers[headers.sdk] && answer.status === 200) {
      throw new AppMisconfigured(
        'The app answers unsigned: it is in development mode. Remove INNGEST_DEV (or set it to 0).',
      );
    }
    if (answer.status === 401) {
      throw new AppMisconfigured(
        'The app refuses our signature: INNGEST_SIGNING_KEY is not the same here and there.',
      );
    }
    throw new AppUnavailable(`Status ${answer.status} without a valid signature`);
  }

  return {
    async sync() {
      const url = new URL(appUrl());
      const body = canonicalJson({ url: url.href });
      return ask('PUT', url, body, { [headers.syncKind]: 'in_band' }, SYNC_TIMEOUT_MS);
    },
    async execute(functionId, stepId, jobId, body) {
      const url = new URL(appUrl());
      url.searchParams.set('fnId', functionId);
      url.searchParams.set('stepId', stepId);
      const ids = {
        [headers.runId]: body.ctx.run_id,
        [headers.jobId]: jobId,
        [headers.requestId]: randomUUID(),
      };
      return ask('POST', url, canonicalJson(body), ids, requestMs);
    },
    abort() {
      for (const request of underWay) request.destroy(new Error('The runner closes.'));
    },
  };
}
