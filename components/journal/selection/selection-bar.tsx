'use client';

import { Suspense } from 'react';
import { BottomBar } from '@/components/ui/bottom-bar';
import { lazyComponent } from '@/components/ui/load-code';
import { useSelection } from './selection';

const SelectionActions = lazyComponent(() => import('./selection-actions'), 'SelectionActions');

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
        <BottomBar label="Selected entries">
          <p aria-hidden="true" className="min-w-24 grow text-15 font-semibold tabular-nums">
            {text}
          </p>
          <Suspense fallback={<div className="min-h-11" />}>
            <SelectionActions />
          </Suspense>
        </BottomBar>
      )}
    </>
  );
}
