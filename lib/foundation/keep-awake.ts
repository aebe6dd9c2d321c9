/** What a host of functions tells Next of the current request, by Next's own contract with hosts: see `after` in its docs. */
interface HostContext {
  get(): { waitUntil?: (work: Promise<unknown>) => void } | undefined;
}

const HOST_CONTEXT = Symbol.for('@next/request-context');

/**
 * Asks a host that freezes processes between requests to wait for `work`, which must not reject, before it freezes this
 * one. Does nothing elsewhere. Call it while a request is being answered.
 */
export function keepAwake(work: Promise<unknown>): void {
  const host = (globalThis as { [HOST_CONTEXT]?: HostContext })[HOST_CONTEXT];
  host?.get()?.waitUntil?.(work);
}
