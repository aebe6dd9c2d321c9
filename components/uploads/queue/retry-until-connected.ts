import { ApiError } from '@/lib/contract/client';

/** A connection to storage that broke, or an answer that says to come again. */
export class ConnectionLostError extends Error {}

const MAX_DELAY = 20_000;

/** Waits before another try: 1 s, doubling, at most 20 s; less when the network or the person comes back. */
function backOff(attempt: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const { signal: ended } = over;
    const wake = () => {
      over.abort();
      clearTimeout(timer);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const seen = () => document.visibilityState === 'visible' && wake();
    const timer = setTimeout(wake, Math.min(1000 * 2 ** attempt, MAX_DELAY));
    signal.addEventListener('abort', wake, { signal: ended });
    window.addEventListener('online', wake, { signal: ended });
    document.addEventListener('visibilitychange', seen, { signal: ended });
  });
}

const TRANSIENT_STATUSES = new Set([0, 429, 502, 503, 504]);

function isTransient(error: unknown): boolean {
  return (
    error instanceof ConnectionLostError ||
    (error instanceof ApiError && TRANSIENT_STATUSES.has(error.status))
  );
}

/**
 * Does a piece of work, again and again while only the connection is at fault: it never gives up by itself.
 * @param waiting called with true when the connection was lost, with false when it is there again
 */
export async function retryUntilConnected<T>(
  work: (progressed: () => void) => Promise<T>,
  waiting: (waits: boolean) => void,
  signal: AbortSignal,
): Promise<T> {
  let attempt = 0;
  const progressed = () => {
    attempt = 0;
    waiting(false);
  };
  for (;;) {
    try {
      const done = await work(progressed);
      waiting(false);
      return done;
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error)) throw error;
      waiting(true);
      await backOff(attempt, signal);
      attempt += 1;
    }
  }
}
