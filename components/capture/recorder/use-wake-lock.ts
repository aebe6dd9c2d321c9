import { useEffect } from 'react';

/** Keeps the screen awake while `active`. Browsers drop the lock when the page is hidden, so this takes it again. */
export function useWakeLock(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    let lock: WakeLockSentinel | null | undefined;
    let over = false;
    const acquire = async () => {
      if (document.visibilityState !== 'visible') return;
      lock = await navigator.wakeLock?.request('screen').catch(() => null);
      if (over) await lock?.release();
    };
    void acquire();
    document.addEventListener('visibilitychange', acquire);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', acquire);
      void lock?.release();
    };
  }, [active]);
}
