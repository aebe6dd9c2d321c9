'use client';

import { useEffect, useRef, useState } from 'react';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/contract/client';
import { createExport, getExport } from '@/lib/exports/routes';
import { startDownload } from './start-download';

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

async function prepare(entries: string[], signal: AbortSignal, onProgress: (progress: number) => void) {
  let state = await call(createExport, { body: { entries } });
  for (let delay = FIRST_DELAY; state.status === 'preparing'; delay = Math.min(delay * 1.5, MAX_DELAY)) {
    onProgress(state.progress);
    await wait(delay, signal);
    state = await call(getExport, { params: { id: state.id }, signal });
  }
  if (state.status === 'failed') throw new Error(state.error ?? 'It couldn’t be prepared. Try again.');
  return state.id;
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
      startDownload(await prepare(entries, controller.signal, setProgress));
    } catch (error) {
      if (!controller.signal.aborted) showError(error);
    } finally {
      if (running.current === controller) setProgress(null);
    }
  }
  return { progress, download };
}
