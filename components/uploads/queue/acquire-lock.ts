/** Says that this page works on an upload, so that no other tab takes it up; null when another one does. */
export async function acquireLock(name: string, wait: boolean): Promise<(() => void) | null> {
  if (!navigator.locks) return () => {};
  return new Promise((claimed) => {
    void navigator.locks.request(name, { ifAvailable: !wait }, (lock) => {
      if (!lock) return claimed(null);
      return new Promise<void>((release) => claimed(release));
    });
  });
}
