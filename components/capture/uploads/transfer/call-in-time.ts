import { ApiError } from '@/lib/foundation/contract/shared/api-error';

/** In milliseconds. Assembling the parts of a large video takes storage a while. */
const CALL_TIMEOUT = 120_000;

/**
 * Runs a call of the API. If the answer takes too long or the network goes away, it fails like a lost connection.
 * @throws ApiError, or the signal's reason if it's aborted
 */
export async function callInTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  const over = new AbortController();
  const abort = () => over.abort();
  const timer = setTimeout(abort, CALL_TIMEOUT);
  signal.addEventListener('abort', abort);
  window.addEventListener('offline', abort);
  try {
    return await work(over.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (over.signal.aborted) throw new ApiError(0, 'network', 'Network Error');
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    window.removeEventListener('offline', abort);
  }
}
