'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Milliseconds: the first wait, and the longest, to which each wait grows by half. */
const INITIAL_DELAY = 2000;
const MAX_DELAY = 10_000;

/**
 * Renews the page's data while something on it is still being processed; the page renders this only so long. It
 * rests while the tab is hidden.
 * @param state changes when something has moved on, which makes the waits short again
 */
export function ProgressPoller({ state }: { state: string }) {
  const router = useRouter();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state begins anew
  useEffect(() => {
    let wait = INITIAL_DELAY;
    let timer: ReturnType<typeof setTimeout>;
    function refresh() {
      if (document.visibilityState === 'visible') router.refresh();
      wait = Math.min(wait * 1.5, MAX_DELAY);
      timer = setTimeout(refresh, wait);
    }
    timer = setTimeout(refresh, wait);
    function refreshIfVisible() {
      if (document.visibilityState === 'visible') router.refresh();
    }
    document.addEventListener('visibilitychange', refreshIfVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', refreshIfVisible);
    };
  }, [router, state]);
  return null;
}
