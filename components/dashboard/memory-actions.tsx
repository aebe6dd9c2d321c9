'use client';

import { lazy, Suspense } from 'react';
import type { EntrySummary } from '@/lib/entries/contract';

const MemoryMenu = lazy(() => import('./memory-menu').then((module) => ({ default: module.MemoryMenu })));

/** What can be done with a memory. Its code comes with the first one, as the landing page shares this address. */
export function MemoryActions({ entry }: { entry: EntrySummary }) {
  return (
    <Suspense fallback={<div className="size-11" />}>
      <MemoryMenu entry={entry} />
    </Suspense>
  );
}
