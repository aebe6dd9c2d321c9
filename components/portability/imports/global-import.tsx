'use client';

import { usePathname } from 'next/navigation';
import { Suspense, useEffect } from 'react';
import { holdReload, lazyComponent } from '@/components/ui/load-code';
import { useImport, watchInterruptedImport } from './import-state';

const ImportLink = lazyComponent(() => import('./import-link'), 'ImportLink');

/** Shows an import on every page but the one that has it in full. Loads nothing while there's none. */
export function GlobalImport({ account }: { account: string }) {
  const { phase } = useImport();
  const inFull = usePathname() === '/upload/import';
  useEffect(() => watchInterruptedImport(account), [account]);
  // Files that were chosen would have to be chosen again.
  const holds = phase !== 'idle' && phase !== 'interrupted';
  useEffect(() => (holds ? holdReload() : undefined), [holds]);
  if (phase === 'idle' || inFull) return null;
  return (
    <Suspense fallback={null}>
      <ImportLink />
    </Suspense>
  );
}
