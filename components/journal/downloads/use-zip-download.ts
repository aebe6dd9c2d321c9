'use client';

import { useEffect, useRef, useState } from 'react';
import { showError, showProblem } from '@/components/ui/show-error';
import { FAILED, prepareEntries, saveExport } from './prepared-download';

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
