import { vi } from 'vitest';
import { decodeBody, parseBody, readBytes } from '@/lib/api/body';
import { errorResponse } from '@/lib/api/error-response';
import { parseInput } from '@/lib/api/validation';
import type { Operation } from '@/lib/foundation/contract/operation';
import { createLocks, createStorage, requestClass } from './browser-parts';

/** Runs an operation for an account. The body or query that it's given was parsed by the operation's own contract. */
// biome-ignore lint/suspicious/noExplicitAny: each one has its own body
type Handler = (userId: string, id: string, body: any, secondId: string) => Promise<unknown>;

/** Reads a body as the API does. */
async function readJson({ bodyLimit }: Operation, request: Request): Promise<unknown> {
  const bytes = await readBytes(request, bodyLimit);
  return parseBody(await decodeBody(bytes, request.headers.get('content-encoding'), bodyLimit));
}

/** Operations that a test's pages call, as their routes run them. */
export type Operations = [Operation, Handler][];

async function answer(operations: Operations, userId: string, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  for (const [operation, handle] of operations) {
    const pattern = new RegExp(`^/api/v1${operation.path.replace(/:\w+/g, '([^/]+)')}$`);
    const [found, id = '', secondId = ''] = pattern.exec(pathname) ?? [];
    if (found === undefined || operation.method !== request.method) continue;
    try {
      const input = operation.body
        ? parseInput(operation.body, await readJson(operation, request))
        : operation.query && parseInput(operation.query, Object.fromEntries(searchParams));
      const result = await handle(userId, id, input, secondId);
      return Response.json(operation.response?.parse(result), { status: operation.status ?? 200 });
    } catch (error) {
      return errorResponse(error, 'test');
    }
  }
  return new Response(null, { status: 404 });
}

/**
 * Replaces Node's globals with those of a browser that an account is signed in to. Its calls go to the real services, and
 * its parts to storage. Undo with `vi.unstubAllGlobals`.
 */
export function stubBrowser(userId: string, operations: Operations) {
  const browser = {
    isOnline: true,
    /** Runs before a call. A response that it returns is the call's. */
    onCall: (_call: string): unknown => null,
    /** Runs when the server is done. If it throws, the answer is lost. */
    onAnswer: (_call: string): unknown => null,
  };
  const send = globalThis.fetch;
  const storage = createStorage();
  storage.setItem('daylight-account', userId);
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { assign: () => {} } }));
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible', cookie: '' }));
  vi.stubGlobal('navigator', { onLine: true, locks: createLocks() });
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('XMLHttpRequest', requestClass(send));
  vi.stubGlobal('fetch', async (target: string | URL, options: RequestInit = {}) => {
    const address = String(target);
    if (!browser.isOnline) throw new TypeError('Failed to fetch');
    if (!address.startsWith('/')) return send(address, options);
    const call = `${options.method} ${address}`;
    const early = await browser.onCall(call);
    if (early instanceof Response) return early;
    const { signal: _, ...request } = options;
    const response = await answer(
      operations,
      userId,
      new Request(new URL(address, 'http://daylight.test'), request),
    );
    await browser.onAnswer(call);
    return response;
  });
  return browser;
}
