import { useEffect, useState } from 'react';

/** How often to try while there's no connection, in milliseconds. Browsers say when a network is back, not a server. */
const INTERVAL = 15_000;
/** How long an answer may take, in milliseconds. */
const TIMEOUT = 8000;

/** Returns whether Daylight answers. Asks for a small file that needs no session. */
async function reaches(): Promise<boolean> {
  const options = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT) } as const;
  const answer = await fetch('/manifest.webmanifest', options).catch(() => null);
  return answer?.ok ?? false;
}

/** Returns whether the page has found a connection since it was shown without one. */
export function useConnection(): boolean {
  const [isOnline, setOnline] = useState(false);
  useEffect(() => {
    const over = new AbortController();
    const listening = { signal: over.signal };
    let checking = false;
    async function check() {
      if (checking) return;
      checking = true;
      const now = navigator.onLine && (await reaches());
      checking = false;
      if (!over.signal.aborted) setOnline(now);
    }
    const checkIfVisible = () => document.visibilityState === 'visible' && void check();
    const timer = setInterval(checkIfVisible, INTERVAL);
    for (const event of ['online', 'offline', 'focus'])
      window.addEventListener(event, () => void check(), listening);
    document.addEventListener('visibilitychange', checkIfVisible, listening);
    return () => {
      clearInterval(timer);
      over.abort();
    };
  }, []);
  return isOnline;
}
