/**
 * What a page does when it needs a file of its own version and the server has a newer one: it reloads, unless that would
 * lose something. Then it says so, and the person decides.
 */

/** A page that was reloaded this recently isn't reloaded again, so that it can't loop. Milliseconds. */
const RELOAD_PAUSE = 60_000;

let offered = false;
const listeners = new Set<() => void>();

/** Whether to say that there's a new version, for useSyncExternalStore. */
export const newVersionStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): boolean => offered,
};

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const changedFields = new Set<Field>();

function rememberField({ target }: Event): void {
  if (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    changedFields.add(target);
}

/** Starts to notice which fields people change. @returns a function that stops it */
export function watchFields(): () => void {
  document.addEventListener('input', rememberField, true);
  return () => document.removeEventListener('input', rememberField, true);
}

const holds = new Set<symbol>();

/** Keeps this page from reloading by itself. @returns a function that ends that */
export function holdReload(): () => void {
  const hold = Symbol('hold');
  holds.add(hold);
  return () => void holds.delete(hold);
}

/** Returns whether the browser would ask before leaving, such as during a recording or an upload. */
function asksBeforeLeaving(): boolean {
  const question = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(question);
  return question.defaultPrevented;
}

function wasJustReloaded(): boolean {
  const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return loaded?.type === 'reload' && performance.now() < RELOAD_PAUSE;
}

/** Returns whether a reload would interrupt or lose nothing. */
function isIdle(): boolean {
  const isChanged = [...changedFields].some((field) => field.isConnected && field.value !== '');
  return holds.size === 0 && !isChanged && !asksBeforeLeaving();
}

/** Reloads the page for the new version, or shows a notice if that would lose or interrupt something. */
export function offerNewVersion(): void {
  if (isIdle() && !wasJustReloaded()) {
    window.location.reload();
    return;
  }
  offered = true;
  for (const listener of listeners) listener();
}
