import { AsyncLocalStorage } from 'node:async_hooks';
import { perProcess } from './shared/per-process';

/** Who sent a request: what rate limits count by, and what a session is listed as. */
export interface Client {
  /** An IPv4 address, or the /64 network of an IPv6 one; '' when it's unknown. */
  address: string;
  userAgent: string;
  /** The browser's device cookie, if it has one. */
  device?: string | undefined;
}

/** State that lives as long as one request. */
export interface RequestScope {
  requestId: string;
  client: Client;
  /** Work to do once the response is sent. See {@link afterResponse}. */
  tasks: Set<() => Promise<unknown>>;
}

/** The scope of the current request; empty in jobs and scripts. */
export const requestScope = perProcess('request-scope', () => new AsyncLocalStorage<RequestScope>());

/**
 * Schedules work for after the current request's response is sent, because its duration would reveal something or
 * because nobody waits for it. The same function scheduled twice runs once.
 * @returns false outside a request, where the caller decides what to do
 */
export function afterResponse(task: () => Promise<unknown>): boolean {
  const scope = requestScope.getStore();
  scope?.tasks.add(task);
  return scope !== undefined;
}
