import { type RequestScope, requestScope } from '@/lib/foundation/request-scope';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';

/** How long all calls of one request may take together, and one call of a job, in milliseconds. */
const REQUEST_BUDGET_MS = 12_000;
const CALL_TIMEOUT_MS = 30_000;

/** When each request has to be done with its calls, by the clock of `performance.now()`. */
const requestDeadlines = new WeakMap<RequestScope, number>();

/** Returns the time left for a call, in milliseconds. */
function remainingTime(): number {
  const scope = requestScope.getStore();
  if (!scope) return CALL_TIMEOUT_MS;
  const now = performance.now();
  const deadline = requestDeadlines.get(scope) ?? now + REQUEST_BUDGET_MS;
  requestDeadlines.set(scope, deadline);
  return Math.max(deadline - now, 0);
}

/**
 * Waits for a call to a service: up to 30 s in a job, and in a request up to 12 s after its first such call started.
 * @throws what `late` returns, if it takes longer
 */
export function withDeadline<T>(work: Promise<T>, late: () => Error): Promise<T> {
  return withTimeout(work, remainingTime(), () => {
    throw late();
  });
}
