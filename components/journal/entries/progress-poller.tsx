'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** The first delay and the longest, in milliseconds; each delay is half as long again as the last. */
const INITIAL_DELAY = 2000;
const MAX_DELAY = 10_000;

/**
 * Refreshes the page's data while something on it is processing; the page renders this only until then. Pauses while
 * the tab is hidden.
 * @param state a change resets the delay
 */
export function ProgressPoller({ state }: { state: string }) {
  const router = useRouter();
  // A new state begins anew.
  useEffect(() => {
    let wait = INITIAL_DELAY;
    let timer: ReturnType<typeof setTimeout>;
    function refreshIfVisible() {
      if (document.visibilityState === 'visible') router.refresh();
    }
    function poll() {
      refreshIfVisible();
      wait = Math.min(wait * 1.5, MAX_DELAY);
      timer = setTimeout(poll, wait);
    }
    timer = setTimeout(poll, wait);
    document.addEventListener('visibilitychange', refreshIfVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', refreshIfVisible);
    };
  }, [router, state]);
  return null;
}
