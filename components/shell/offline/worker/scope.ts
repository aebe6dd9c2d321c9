/** What a service worker's global scope has that TypeScript's types of a page don't (Service Workers, W3C). */

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

export const worker = self as unknown as WorkerScope;
