import { call } from '@/lib/api/shared/client';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { Export } from '@/lib/portability/exports/contract';
import { isHomeScreenApp, saveFile } from './save-file';

export const FAILED = 'We couldn’t prepare your download. Try again.';

/**
 * Has the browser download an archive. Asks for it first, since a link can't renew the session, and would save an error
 * message as the file.
 * @returns a sentence if it can't be saved; null if it's being saved
 * @throws ApiError `not_found`
 */
export async function saveExport(id: string): Promise<string | null> {
  if (isHomeScreenApp()) return 'Open Daylight in Safari to save it.';
  const { status, error, fileName } = await call('GET /exports/:id', { params: { id } });
  if (status !== 'ready') return error ?? FAILED;
  saveFile({ url: `/api/v1/exports/${id}/download`, fileName });
  return null;
}

/** How long to wait before asking how far it is, in milliseconds: at first, and at most. */
const FIRST_DELAY = 400;
const MAX_DELAY = 4000;

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done, fail) => {
    signal.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      fail(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      done();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });

/** The statuses of calls that the network or a release has broken, or that were one too many. */
const TEMPORARY = new Set([0, 429, 502, 503, 504]);

/** Returns an archive's state; null if it can't be reached now. */
async function ask(id: string, signal: AbortSignal): Promise<Export | null> {
  try {
    return await call('GET /exports/:id', { params: { id }, signal });
  } catch (error) {
    if (!(error instanceof ApiError && TEMPORARY.has(error.status))) throw error;
    logRejected(error);
    return null;
  }
}

/**
 * Has an archive of these entries prepared. Once it has begun, the network may go and come back.
 * @returns it once it's ready, or has failed
 */
export async function prepareEntries(
  entries: string[],
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<Export> {
  let state = await call('POST /exports', { body: { entries } });
  for (let delay = FIRST_DELAY; state.status === 'preparing'; delay = Math.min(delay * 1.5, MAX_DELAY)) {
    onProgress(state.progress);
    await wait(delay, signal);
    state = (await ask(state.id, signal)) ?? state;
  }
  return state;
}
