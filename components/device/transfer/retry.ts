import { call, type ResponseBody } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { diagnose, StorageError, type UploadProblem } from './upload-problem';

/** What a transfer reports while it's under way. */
export interface TransferEvents {
  /** Called with the bytes stored or sent so far. */
  onProgress(sent: number): void;
  /** Called with what it's waiting for, and with null once it's moving again. */
  onProblem(problem: UploadProblem | null): void;
  /** Dispatches `retry` when the user doesn't want to wait. */
  wakeUps?: EventTarget;
}

/** Returns a function that reports how much was sent. That it's moving again is reported once it gets further than before. */
export function reportProgress({ onProgress, onProblem }: TransferEvents): (sent: number) => void {
  let furthest = 0;
  return (sent) => {
    onProgress(sent);
    // A connection that breaks at the same byte each time is one problem, not a new one with each retry.
    if (sent <= furthest) return;
    furthest = sent;
    onProblem(null);
  };
}

/** In milliseconds. */
const FIRST_DELAY = 1000;
const MAX_DELAY = 30_000;

/**
 * Returns how long to wait before a retry: 1 s, doubling up to 30 s, of which up to half is left to chance, so that an
 * outage doesn't end with all browsers at once.
 * @param attempt from 0
 * @returns milliseconds
 */
export function retryDelay(attempt: number, random = Math.random()): number {
  const delay = Math.min(FIRST_DELAY * 2 ** attempt, MAX_DELAY);
  return delay * (0.5 + random / 2);
}

/**
 * Waits before a retry. A user who asks ends it, and so does a network or a user that comes back, unless the server
 * asked to wait longer.
 * @param retryAfter the milliseconds that the server asked to wait
 */
function backOff(
  attempt: number,
  retryAfter: number,
  wakeUps: EventTarget | undefined,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const since = Date.now();
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const listening = { signal: over.signal };
    const end = () => {
      over.abort();
      clearTimeout(timer);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const endAfter = (wait: number) => () => Date.now() - since >= Math.max(wait, retryAfter) && end();
    // Somebody who switches tabs back and forth doesn't cause a retry each time.
    const onShown = endAfter(FIRST_DELAY);
    const timer = setTimeout(end, Math.max(retryDelay(attempt), retryAfter));
    signal.addEventListener('abort', end, listening);
    wakeUps?.addEventListener('retry', end, listening);
    window.addEventListener('online', endAfter(0), listening);
    document.addEventListener(
      'visibilitychange',
      () => document.visibilityState === 'visible' && onShown(),
      listening,
    );
  });
}

/** How often in a row to retry a part that storage refuses: its URL may have expired, or storage may have lost the upload. */
const MAX_REFUSALS = 3;

/**
 * Retries work until it succeeds, or fails for a reason that a retry can't change.
 * @param work called with a function to call whenever it gets further, after which the delays start over
 * @param storageUrl returns an address of storage, if one is known
 * @throws StorageError, or what `work` threw
 */
export async function retry<T>(
  work: (progressed: () => void) => Promise<T>,
  { onProblem, wakeUps }: Pick<TransferEvents, 'onProblem' | 'wakeUps'>,
  signal: AbortSignal,
  storageUrl: () => string | null = () => null,
): Promise<T> {
  let attempt = 0;
  let refusals = 0;
  const progressed = () => {
    [attempt, refusals] = [0, 0];
    onProblem(null);
  };
  for (;;) {
    try {
      const done = await work(progressed);
      onProblem(null);
      return done;
    } catch (error) {
      signal.throwIfAborted();
      const { problem, isRefusal, retryAfter } = await diagnose(error, storageUrl());
      signal.throwIfAborted();
      refusals = isRefusal ? refusals + 1 : 0;
      if (refusals > MAX_REFUSALS) throw new StorageError(problem);
      onProblem(problem);
      await backOff(attempt, retryAfter, wakeUps, signal);
      attempt += 1;
    }
  }
}

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

/**
 * Calls an operation with {@link callInTime}. If the session is over, it fails instead of leaving the page.
 * @throws ApiError, or the signal's reason if it's aborted
 */
export function callForUpload<N extends Parameters<typeof call>[0]>(
  operation: N,
  options: Omit<NonNullable<Parameters<typeof call<N>>[1]>, 'signal' | 'onExpired'>,
  signal: AbortSignal,
): Promise<ResponseBody<N>> {
  // The compiler can't tell that these are the options of any operation.
  const callAny = call as (operation: N, options: object) => Promise<ResponseBody<N>>;
  return callInTime(
    (inTime) => callAny(operation, { ...options, signal: inTime, onExpired: 'throw' }),
    signal,
  );
}
