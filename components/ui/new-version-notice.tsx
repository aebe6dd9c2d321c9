'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { Button } from './button';
import { newVersionStore, watchFields } from './new-version';

/** Says that there's a new version that this page should be reloaded for. */
export function NewVersionNotice() {
  const offered = useSyncExternalStore(newVersionStore.subscribe, newVersionStore.get, () => false);
  useEffect(watchFields, []);
  return (
    <div role="status" className="fixed inset-x-0 bottom-0 z-50 flex justify-center p-3 empty:hidden">
      {offered && (
        <div className="flex max-w-[640px] flex-wrap items-center justify-between gap-3 rounded-18 border border-line-strong bg-surface py-3 pr-3 pl-5 text-15 shadow-lg">
          <p>A new version of Daylight is ready. Reload when you’re done.</p>
          <Button size="sm" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
