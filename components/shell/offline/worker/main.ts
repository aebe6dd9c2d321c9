import { SYNC_TAG } from '@/components/capture/uploads/queue/upload-store';
import { deleteOldShares } from '@/components/capture/uploads/shared/shared-store';
import { openPage, preloadsPages } from './open-page';
import { receiveShare } from './receive-share';
import { sendUploads } from './send-uploads';
import { fetchFile, isSpeechScript, refreshShell, SHELL_CACHE } from './shell-cache';

// What a service worker's global scope has that TypeScript's types of a page don't (Service Workers, W3C).

interface ExtendableEvent extends Event {
  /** Keeps the worker running until the work is done. */
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  /** The answer to a navigation that was requested while the worker started; undefined if there's none. */
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}

/** Background Synchronization (WICG). */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

interface InstallEvent extends ExtendableEvent {
  /** Static Routing: requests that don't need this worker to start. Not in every browser. */
  addRoutes?(
    rules: readonly { condition: object; source: 'network' | { cacheName: string } }[],
  ): Promise<void>;
}

interface WorkerEvents {
  install: InstallEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
  message: ExtendableEvent;
  sync: SyncEvent;
}

interface WorkerScope {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof WorkerEvents>(
    name: Name,
    listener: (event: WorkerEvents[Name]) => void,
  ): void;
}

const worker = self as unknown as WorkerScope;

/** Addresses that aren't pages, though the browser may open them as such: downloads, and files. */
const NOT_A_PAGE = /^\/(api|_next|speech|sample|icons|screenshots)\//;

worker.addEventListener('install', (event) => {
  // Nothing waits for old tabs to close: this worker keeps the files that they need.
  void worker.skipWaiting();
  const isNeeded = ['/_next/static/*', '/speech/*', '/share'].map((pathname) => ({
    urlPattern: { pathname },
  }));
  const rules = [
    {
      condition: { not: { or: [{ requestMode: 'navigate' }, ...isNeeded] } },
      source: 'network' as const,
    },
    { condition: { urlPattern: { pathname: '/_next/static/*' } }, source: { cacheName: SHELL_CACHE } },
  ];
  event.waitUntil(event.addRoutes?.(rules).catch(() => {}) ?? Promise.resolve());
});

worker.addEventListener('activate', (event) => {
  const { navigationPreload } = worker.registration;
  const preload = preloadsPages(navigator.userAgent)
    ? navigationPreload?.enable()
    : navigationPreload?.disable();
  event.waitUntil(Promise.all([worker.clients.claim(), preload, deleteOldShares()]));
});

worker.addEventListener('message', (event) => event.waitUntil(refreshShell()));

worker.addEventListener('sync', (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendUploads());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== worker.location.origin) return;
  if (pathname === '/share' && request.method === 'POST') event.respondWith(receiveShare(request));
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    if (!NOT_A_PAGE.test(pathname)) event.respondWith(openPage(request, event.preloadResponse));
  } else if (pathname.startsWith('/_next/static/') || isSpeechScript(pathname)) {
    event.respondWith(fetchFile(request));
  }
});
