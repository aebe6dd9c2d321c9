import { log } from '@/lib/foundation/log';
import { perProcess } from '@/lib/foundation/shared/per-process';

const rejections = perProcess('rejections', (): { logged?: Set<string> } => ({}));

/** Starts to remember which requests have a line of their own, for {@link logUnlessLogged}. */
export function trackRejections(): void {
  rejections.logged ??= new Set();
}

/** Notes that a request's rejection or failure has a line in the log. */
export function markLogged(requestId: string): void {
  rejections.logged?.add(requestId);
}

/** Logs one line for a rejection. Never a body, a query or an address: give a code, a status or a method. */
export function logRejection(
  requestId: string,
  about: { event?: string; code?: string; status?: number; method?: string | undefined },
): void {
  markLogged(requestId);
  log.info({ event: 'refused', ...about, requestId }, 'refused');
}

/** Logs an answer of 400 or above that nothing else has logged, such as a 404 or 405 that Next gives by itself. */
export function logUnlessLogged(requestId: string, status: number, method: string | undefined): void {
  const isLogged = rejections.logged?.delete(requestId) ?? false;
  if (status >= 400 && !isLogged) log.info({ event: 'refused', status, method, requestId }, 'refused');
}
