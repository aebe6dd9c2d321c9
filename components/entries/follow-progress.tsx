'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Milliseconds: the first wait, and the longest, to which each wait grows by half. */
const FIRST_WAIT = 2000;
const LONGEST_WAIT = 10_000;

/**
 * Renews the page's data while something on it is still being processed; the page renders this only so long. It
 * rests while the tab is hidden.
 * @param state changes when something has moved on, which makes the waits short again
 */
export function FollowProgress({ state }: { state: string }) {
  const router = useRouter();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state begins anew
  useEffect(() => {
    let wait = FIRST_WAIT;
    let timer: ReturnType<typeof setTimeout>;
    function refresh() {
      if (document.visibilityState === 'visible') router.refresh();
      wait = Math.min(wait * 1.5, LONGEST_WAIT);
      timer = setTimeout(refresh, wait);
    }
    timer = setTimeout(refresh, wait);
    function look() {
      if (document.visibilityState === 'visible') router.refresh();
    }
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [router, state]);
  return null;
}
