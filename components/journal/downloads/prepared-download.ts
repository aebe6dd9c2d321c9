import { useEffect, useRef, useState } from 'react';
import { showError, showProblem } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { Export } from '@/lib/portability/exports/contract';
import type { Download } from '@/lib/video/downloads/contract';

/**
 * Returns whether this is an app on the home screen of an iPhone or iPad. A link can't save a file there: WebKit opens
 * it in place of the page, with no way back.
 */
export const isHomeScreenApp = (): boolean =>
  (navigator as Navigator & { standalone?: boolean }).standalone === true;

/** Has the browser save a file, without leaving the page. */
export function saveFile({ url, fileName }: Pick<Download, 'url' | 'fileName'>): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}

/**
 * Opens the share sheet for a small file. Does nothing if the user closes it.
 * @throws Error if the file can't be loaded or shared
 */
export async function shareFile({ url, fileName }: Download): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the file answered ${response.status}`);
  const blob = await response.blob();
  try {
    await navigator.share({ files: [new File([blob], fileName, { type: blob.type })] });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}

const FAILED = 'We couldn’t prepare your download. Try again.';

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
    await new Promise((done) => setTimeout(done, delay));
    signal.throwIfAborted();
    state = (await ask(state.id, signal)) ?? state;
  }
  return state;
}

/**
 * Downloads entries as one ZIP file, which is prepared first. If the page is left meanwhile, the file is in Settings
 * once it's ready.
 * @returns how much is prepared, 0 to 1; null if nothing is being prepared
 */
export function useZipDownload() {
  const [progress, setProgress] = useState<number | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function download(entries: string[]): Promise<void> {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setProgress(0);
    try {
      const { id, status, error } = await prepareEntries(entries, controller.signal, setProgress);
      const problem = status === 'ready' ? await saveExport(id) : (error ?? FAILED);
      if (problem) showProblem(problem);
    } catch (error) {
      if (!controller.signal.aborted) showError(error);
    } finally {
      if (running.current === controller) setProgress(null);
    }
  }
  return { progress, download };
}
