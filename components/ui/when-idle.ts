/** How long a page may be busy before the work starts anyway, in milliseconds. */
const LONGEST_WAIT = 10_000;

/** Does something once the page is idle. @returns a function that cancels it */
export function whenIdle(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(work, { timeout: LONGEST_WAIT });
    return () => cancelIdleCallback(handle);
  }
  // Safari
  const timer = setTimeout(work, LONGEST_WAIT / 2);
  return () => clearTimeout(timer);
}
