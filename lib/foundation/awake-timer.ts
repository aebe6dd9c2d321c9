/** How late a timer is at least if the process was frozen, or its event loop blocked, in milliseconds. */
export const FROZEN_MS = 1000;

/** How long to wait then, in milliseconds: enough to read what has arrived meanwhile. */
const GRACE_MS = 1000;

/**
 * Calls `expire` after `ms`, unless what it returns is called before. A host of functions freezes a process between
 * requests, and the system may stop any: then every timer is overdue before anything that has arrived is read. So a timer
 * that's far too late waits for another second.
 */
export function startAwakeTimer(expire: () => void, ms: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (duration: number) => {
    const due = performance.now() + duration;
    timer = setTimeout(() => {
      if (performance.now() - due < FROZEN_MS) expire();
      else wait(Math.min(duration, GRACE_MS));
    }, duration);
  };
  wait(ms);
  return () => clearTimeout(timer);
}
