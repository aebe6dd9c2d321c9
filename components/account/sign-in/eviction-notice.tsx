'use client';

import { usePathname } from 'next/navigation';
import { Suspense, useEffect, useState } from 'react';
import { hasCounts } from '@/components/device/eviction-detection';
import { lazyComponent } from '@/components/ui/load-code';
import { whenIdle } from '@/components/ui/when-idle';

const EvictionPanel = lazyComponent(() => import('./eviction-panel'), 'EvictionPanel');

/**
 * Says what the browser has deleted from this device to free up space. Looks for it once the page is idle, and loads nothing
 * if nothing was stored here. Not in the studio, whose buttons it would cover.
 */
export function EvictionNotice() {
  const path = usePathname();
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!hasCounts()) return;
    return whenIdle(() => setDue(true));
  }, []);
  if (!isDue || path === '/upload') return null;
  return (
    <Suspense fallback={null}>
      <EvictionPanel />
    </Suspense>
  );
}
