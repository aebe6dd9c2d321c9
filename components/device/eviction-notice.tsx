'use client';

import { usePathname } from 'next/navigation';
import { Suspense, useEffect, useState } from 'react';
import { lazyComponent } from '@/components/ui/load-code';
import { hasKeptMarks } from './kept-marker';

const EvictionPanel = lazyComponent(() => import('./eviction-panel'), 'EvictionPanel');

/** How long to leave the page to what it's for, in milliseconds, in browsers that don't say when they're idle. */
const PAUSE = 1000;

/**
 * Says what the browser has deleted from this device to free up space. Looks for it once the page is idle, and loads nothing
 * if nothing is kept here. Not in the studio, whose buttons it would cover.
 */
export function EvictionNotice() {
  const path = usePathname();
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!hasKeptMarks()) return;
    const start = () => setDue(true);
    if (!window.requestIdleCallback) {
      const timer = setTimeout(start, PAUSE);
      return () => clearTimeout(timer);
    }
    const request = window.requestIdleCallback(start);
    return () => window.cancelIdleCallback(request);
  }, []);
  if (!isDue || path === '/upload') return null;
  return (
    <Suspense fallback={null}>
      <EvictionPanel />
    </Suspense>
  );
}
