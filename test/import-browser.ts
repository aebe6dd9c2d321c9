import { vi } from 'vitest';
import { readBody } from '@/lib/api/body';
import { errorResponse } from '@/lib/api/error-response';
import { parseInput } from '@/lib/api/validation';
import * as clips from '@/lib/clips/contract';
import { findVideos } from '@/lib/clips/find-videos';
import { importClip, listClips } from '@/lib/clips/service';
import type { Operation } from '@/lib/contract/operation';
import * as history from '@/lib/import-history/contract';
import { createImport, listImports } from '@/lib/import-history/service';
import { undoImport } from '@/lib/import-history/undo';
import * as imports from '@/lib/imports/contract';
import { importJournal } from '@/lib/imports/journal';
import { importRevision } from '@/lib/imports/revisions';
import { checkImport, importEntry } from '@/lib/imports/service';
import * as plans from '@/lib/plans/contract';
import { planDetails } from '@/lib/plans/service';
import { abortUpload } from '@/lib/uploads/abandoned';
import * as uploads from '@/lib/uploads/contract';
import { finishUpload, signParts, uploadState } from '@/lib/uploads/multipart';

/** Runs an operation for an account. What it's given was parsed by the operation's own contract. */
// biome-ignore lint/suspicious/noExplicitAny: each one has its own body
type Handler = (userId: string, id: string, body: any) => Promise<unknown>;

/** The operations that an import calls, as their routes run them. */
const OPERATIONS: [Operation, Handler][] = [
  [history.createImport, (userId, _, body) => createImport(userId, body)],
  [history.listImports, (userId) => listImports(userId)],
  [history.undoImport, (userId, id) => undoImport(userId, id)],
  [clips.importClip, (userId, id, body) => importClip(userId, id, body)],
  [clips.listClips, (userId, id) => listClips(userId, id)],
  [clips.findVideos, (userId, _, body) => findVideos(userId, body)],
  [imports.checkImport, (userId, _, body) => checkImport(userId, body)],
  [imports.importJournal, (userId, _, body) => importJournal(userId, body).then(() => ({}))],
  [imports.importEntry, (userId, _, body) => importEntry(userId, body)],
  [imports.importRevision, (userId, id, body) => importRevision(userId, id, body).then(() => ({}))],
  [plans.planDetails, (userId) => planDetails(userId)],
  [uploads.getUpload, (userId, id) => uploadState(userId, id)],
  [uploads.signParts, signParts],
  [uploads.finishUpload, finishUpload],
  [uploads.abortUpload, (userId, id) => abortUpload(userId, id).then(() => ({}))],
];

async function answer(userId: string, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const [operation, handle] of OPERATIONS) {
    const pattern = new RegExp(`^/api/v1${operation.path.replace(':id', '([^/]+)')}$`);
    const [found, id = ''] = pattern.exec(pathname) ?? [];
    if (found === undefined || operation.method !== request.method) continue;
    try {
      const body = operation.body && parseInput(operation.body, await readBody(request, operation.bodyLimit));
      const result = await handle(userId, id, body);
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
  async function request(name: string, options: LockOptions, work: LockGrantedCallback<unknown>) {
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
export function openBrowser(userId: string) {
  const browser = { isOnline: true, onCall: (_call: string): unknown => null };
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
    await browser.onCall(`${options.method} ${address}`);
    const { signal: _, ...request } = options;
    return answer(userId, new Request(new URL(address, 'http://daylight.test'), request));
  });
  return {
    browser,
    /** Opens a tab: code of its own, which shares storage and locks with the other tabs. A reload opens one, too. */
    async openTab() {
      vi.resetModules();
      const [session, state] = [
        await import('@/components/imports/import-session'),
        await import('@/components/imports/import-state'),
      ];
      return { ...session, ...state };
    },
  };
}
