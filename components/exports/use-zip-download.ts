'use client';

import { useEffect, useRef, useState } from 'react';
import { saveFile } from '@/components/downloads/save-file';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { call } from '@/lib/contract/client';
import type { Export } from '@/lib/exports/contract';
import { createExport, getExport } from '@/lib/exports/routes';

/** Has the browser download an archive. Asks for it first, since a link can't renew the session. */
export async function saveExport(id: string): Promise<void> {
  const { fileName } = await call(getExport, { params: { id } });
  saveFile({ url: `/api/v1/exports/${id}/download`, fileName });
}

const FAILED = 'We couldn’t prepare your download. Try again.';

/** How long to wait before asking how far it is, in milliseconds: at first, and at most. */
const FIRST_DELAY = 400;
const MAX_DELAY = 4000;

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done, fail) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      fail(signal.reason);
    });
  });

/** Has an archive of these entries prepared. @returns it once it's ready, or has failed */
async function prepare(
  entries: string[],
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<Export> {
  let state = await call(createExport, { body: { entries } });
  for (let delay = FIRST_DELAY; state.status === 'preparing'; delay = Math.min(delay * 1.5, MAX_DELAY)) {
    onProgress(state.progress);
    await wait(delay, signal);
    state = await call(getExport, { params: { id: state.id }, signal });
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
      const { id, status, error } = await prepare(entries, controller.signal, setProgress);
      if (status === 'ready') await saveExport(id);
      else toast.error(error ?? FAILED);
    } catch (error) {
      if (!controller.signal.aborted) showError(error);
    } finally {
      if (running.current === controller) setProgress(null);
    }
  }
  return { progress, download };
}
