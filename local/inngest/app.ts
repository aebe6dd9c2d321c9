import { randomUUID } from 'node:crypto';
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { canonicalJson, type ExecutionRequest, headers, isSignedBy, sign } from './protocol';

export type AppResponse = { status: number; headers: Record<string, string | undefined>; body: unknown };

/** The app could not be asked, or something in its place answered. */
export class AppUnavailable extends Error {
  override name = 'AppUnavailableError';
}

/** The connection broke after the request was sent: the app may have done the work or not. */
export class AppInterrupted extends Error {
  override name = 'AppInterrupted';
}

/** The app answers, but in a mode or with a key that cannot work; the message says what to set. */
export class AppMisconfigured extends Error {
  override name = 'AppMisconfigured';
}

export type AppClient = {
  /** Asks the app for its functions (in-band synchronisation). */
  sync(): Promise<AppResponse>;
  execute(functionId: string, stepId: string, jobId: string, body: ExecutionRequest): Promise<AppResponse>;
  /** Cuts off whatever is under way. */
  abort(): void;
};

/** How long the app may take to describe itself, in milliseconds; an execution may take any time. */
const SYNC_TIMEOUT_MS = 60_000;

/** A client for the app's Inngest endpoint: it signs what it sends and believes only what is signed. */
export function createAppClient(appUrl: () => string, signingKey: string): AppClient {
  const underWay = new Set<ClientRequest>();

  /**
   * Plain `node:http`, as `fetch` gives up when no header arrives within five minutes, and a connection for
   * each request, as an idle one may be closed by the app in the instant it is used again.
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
