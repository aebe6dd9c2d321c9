function requestLock(name: string, options: LockOptions): Promise<(() => void) | null> {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) =>
      lock ? new Promise<void>((release) => resolve(release)) : resolve(null);
    navigator.locks.request(name, options, hold).catch(reject);
  });
}

/**
 * Takes a Web Lock for as long as this page lives, which tells other tabs to leave the work alone.
 * @returns how to release it; null when another page holds it
 */
export const tryLock = (name: string): Promise<(() => void) | null> =>
  requestLock(name, { ifAvailable: true });

/**
 * Waits for a Web Lock.
 * @returns how to release it
 * @throws the signal's reason if it's aborted before
 */
export const waitForLock = async (name: string, signal?: AbortSignal): Promise<() => void> =>
  (await requestLock(name, signal ? { signal } : {})) ?? (() => {});
