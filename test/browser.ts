import { vi } from 'vitest';
import { readBody } from '@/lib/api/body';
import { errorResponse } from '@/lib/api/error-response';
import { parseInput } from '@/lib/api/validation';
import type { Operation } from '@/lib/contract/operation';

/** Runs an operation for an account. What it's given was parsed by the operation's own contract. */
// biome-ignore lint/suspicious/noExplicitAny: each one has its own body
type Handler = (userId: string, id: string, body: any, secondId: string) => Promise<unknown>;

/** Operations that a test's pages call, as their routes run them. */
export type Operations = [Operation, Handler][];

async function answer(operations: Operations, userId: string, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const [operation, handle] of operations) {
    const pattern = new RegExp(`^/api/v1${operation.path.replace(/:\w+/g, '([^/]+)')}$`);
    const [found, id = '', secondId = ''] = pattern.exec(pathname) ?? [];
    if (found === undefined || operation.method !== request.method) continue;
    try {
      const body = operation.body && parseInput(operation.body, await readBody(request, operation.bodyLimit));
      const result = await handle(userId, id, body, secondId);
      return Response.json(operation.response?.parse(result), { status: operation.status ?? 200 });
    } catch (error) {
      return errorResponse(error, 'test');
    }
  }
  return new Response(null, { status: 404 });
}

/** The Web Locks of a browser, which its tabs share. */
function createLocks(): Pick<LockManager, 'request'> {
  const waiting = new Map<string, (() => void)[]>();
  async function request(name: string, ...rest: unknown[]) {
    const work = rest.at(-1) as LockGrantedCallback<unknown>;
    const [options] = rest as [LockOptions];
    const others = waiting.get(name);
    if (others && options.ifAvailable) return work(null);
    if (others) await new Promise<void>((resolve) => void others.push(resolve));
    else waiting.set(name, []);
    try {
      return await work({ name, mode: 'exclusive' });
    } finally {
      const next = waiting.get(name)?.shift();
      if (next) next();
      else waiting.delete(name);
    }
  }
  return { request: request as LockManager['request'] };
}

function createStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

/** An XMLHttpRequest, as far as parts are sent with it. */
function requestClass(send: typeof fetch) {
  return class {
    upload = {};
    status = 0;
    responseText = '';
    onload = () => {};
    onabort = () => {};
    onerror = () => {};
    onloadend = () => {};
    #url = '';
    #headers: Record<string, string> = {};
    #controller = new AbortController();
    open(_: string, url: string) {
      this.#url = url;
    }
    setRequestHeader(name: string, value: string) {
      this.#headers[name] = value;
    }
    abort() {
      this.#controller.abort();
    }
    async send(body: Blob) {
      const { signal } = this.#controller;
      try {
        const response = await send(this.#url, { method: 'PUT', headers: this.#headers, body, signal });
        this.status = response.status;
        this.responseText = await response.text();
        this.onload();
      } catch {
        if (signal.aborted) this.onabort();
        else this.onerror();
      }
      this.onloadend();
    }
  };
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
  vi.stubGlobal('fetch', async (address: string, options: RequestInit = {}) => {
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
