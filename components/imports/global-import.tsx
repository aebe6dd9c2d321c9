'use client';

import { usePathname } from 'next/navigation';
import { Suspense, useEffect } from 'react';
import { lazyComponent } from '@/components/ui/load-code';
import { useImport, watchInterruptedImport } from './import-state';

const ImportLink = lazyComponent(() => import('./import-link'));

/** Shows an import on every page but the one that has it in full. Loads nothing while there's none. */
export function GlobalImport({ account }: { account: string }) {
  const { phase } = useImport();
  const inFull = usePathname() === '/settings';
  useEffect(() => watchInterruptedImport(account), [account]);
  if (phase === 'idle' || inFull) return null;
  return (
    <Suspense fallback={null}>
      <ImportLink />
    </Suspense>
  );
}
