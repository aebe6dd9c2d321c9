import { useSyncExternalStore } from 'react';

/** How often to try while there's no connection, in milliseconds. Browsers say when a network is back, not a server. */
const INTERVAL = 15_000;
/** How long an answer may take, in milliseconds. */
const TIMEOUT = 8000;

let isOnline = false;
const listeners = new Set<() => void>();
let stopWatching = () => {};

/** Returns whether Daylight answers. Asks for a small file that needs no session. */
async function reaches(): Promise<boolean> {
  const options = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT) } as const;
  const answer = await fetch('/manifest.webmanifest', options).catch(() => null);
  return answer?.ok ?? false;
}

/** Watches for a connection. @returns a function that stops it */
function watch(): () => void {
  const over = new AbortController();
  const listening = { signal: over.signal };
  let checking = false;
  async function check() {
    if (checking) return;
    checking = true;
    const now = navigator.onLine && (await reaches());
    checking = false;
    if (now === isOnline || over.signal.aborted) return;
    isOnline = now;
    for (const listener of listeners) listener();
  }
  const checkIfVisible = () => document.visibilityState === 'visible' && void check();
  const timer = setInterval(checkIfVisible, INTERVAL);
  over.signal.addEventListener('abort', () => clearInterval(timer));
  for (const event of ['online', 'offline', 'focus'])
    window.addEventListener(event, () => void check(), listening);
  document.addEventListener('visibilitychange', checkIfVisible, listening);
  return () => over.abort();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) stopWatching = watch();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stopWatching();
  };
}

/** Returns whether the page has found a connection since it was shown without one. */
export const useConnection = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isOnline,
    () => false,
  );
