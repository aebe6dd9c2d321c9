import { ApiError } from '@/lib/contract/client';

/** A connection to storage that broke, or an answer that says to come again. */
export class CutError extends Error {}

const LONGEST_WAIT = 20_000;

/** Waits before another try: 1 s, doubling, at most 20 s; less when the network or the person comes back. */
function rest(attempt: number, signal: AbortSignal): Promise<void> {
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
    const timer = setTimeout(wake, Math.min(1000 * 2 ** attempt, LONGEST_WAIT));
    signal.addEventListener('abort', wake, { signal: ended });
    window.addEventListener('online', wake, { signal: ended });
    document.addEventListener('visibilitychange', seen, { signal: ended });
  });
}

const PASSING = new Set([0, 429, 502, 503, 504]);

function passes(error: unknown): boolean {
  return error instanceof CutError || (error instanceof ApiError && PASSING.has(error.status));
}

/**
 * Does a piece of work, again and again while only the connection is at fault: it never gives up by itself.
 * @param waiting called with true when the connection was lost, with false when it is there again
 */
export async function untilConnected<T>(
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
      if (!passes(error)) throw error;
      waiting(true);
      await rest(attempt, signal);
      attempt += 1;
    }
  }
}
