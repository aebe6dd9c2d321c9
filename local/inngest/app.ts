import { randomUUID } from 'node:crypto';
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { canonicalJson, type ExecutionRequest, headers, isSignedBy, sign } from './protocol';

export type AppResponse = { status: number; headers: Record<string, string | undefined>; body: unknown };

/** The app couldn't be reached, or something else responded in its place. */
export class AppUnavailable extends Error {
  override name = 'AppUnavailableError';
}

/** The connection broke after the request was sent, so the app may or may not have done the work. */
export class AppInterrupted extends Error {
  override name = 'AppInterrupted';
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

/** How long a sync may take, in milliseconds. An execution may take any time. */
const SYNC_TIMEOUT_MS = 60_000;

/** Returns a client for the app's Inngest endpoint. It signs its requests and only accepts signed responses. */
export function createAppClient(appUrl: () => string, signingKey: string): AppClient {
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
    timeoutMs = 0,
  ): Promise<{ status: number; headers: AppResponse['headers']; text: string }> {
    return new Promise((resolve, reject) => {
      let sent = false;
      const fail = (error: Error) => {
        const Kind = sent ? AppInterrupted : AppUnavailable;
        reject(new Kind(error.message || String(error), { cause: error }));
      };
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
      request.on('close', () => underWay.delete(request));
      request.on('socket', (socket) => {
        socket.setKeepAlive(true, 15_000);
        socket.on('connect', () => {
          sent = true;
        });
      });
      if (timeoutMs) request.setTimeout(timeoutMs, () => request.destroy(new Error('The app is silent.')));
      request.on('error', fail);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
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
      return ask('POST', url, canonicalJson(body), {
        [headers.runId]: body.ctx.run_id,
        [headers.jobId]: jobId,
        [headers.requestId]: randomUUID(),
      });
    },
    abort() {
      for (const request of underWay) request.destroy(new Error('The runner closes.'));
    },
  };
}
