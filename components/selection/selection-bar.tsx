'use client';

import { Suspense } from 'react';
import { lazyComponent } from '@/components/ui/load-code';
import { useSelection } from './selection';

const SelectionActions = lazyComponent(() => import('./selection-actions'));

const PLACE =
  'sticky bottom-[calc(16px+env(safe-area-inset-bottom))] z-20 mx-auto mb-6 flex w-[calc(100%-32px)] max-w-[720px] flex-wrap items-center gap-x-4 gap-y-1 rounded-18 border border-line bg-surface p-2 pl-5 shadow-lg max-sm:bottom-[calc(92px+env(safe-area-inset-bottom))] max-sm:pl-4';

/** Says how many entries are selected, and what can be done with them. Follows the cards, so that it never covers the last. */
export function SelectionBar() {
  const { isActive, picked } = useSelection();
  const text = picked.size === 0 ? 'Select entries' : `${picked.size} selected`;
  return (
    <>
      {/* Always there, so that screen readers announce its changes. */}
      <p role="status" className="sr-only">
        {isActive && text}
      </p>
      {isActive && (
        <section aria-label="Selected entries" className={PLACE}>
          <p aria-hidden="true" className="min-w-24 grow text-15 font-semibold tabular-nums">
            {text}
          </p>
          <Suspense fallback={<div className="min-h-11" />}>
            <SelectionActions />
          </Suspense>
        </section>
      )}
    </>
  );
}
