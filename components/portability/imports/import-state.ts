import { useSyncExternalStore } from 'react';
import { type ImportEvent, type ImportState, importReducer, NO_IMPORT } from './import-reducer';
import { importLock, interruptedImport } from './interrupted-import';

let state = NO_IMPORT;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const getImportState = (): ImportState => state;

/** Returns whether this page has an import that was started and isn't finished. */
export const isImporting = (): boolean => state.phase === 'running' || state.phase === 'paused';

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/**
 * Updates the import. While it runs, the browser asks before the page is closed or reloaded.
 * @returns whether the event changed anything
 */
export function dispatchImport(event: ImportEvent): boolean {
  const before = state;
  state = importReducer(state, event);
  if (state === before) return false;
  if (state.phase === 'running') window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
  for (const listener of listeners) listener();
  return true;
}

/** Returns this page's import. It goes on while the user is on other pages of the app. */
export function useImport(): ImportState {
  return useSyncExternalStore(subscribe, getImportState, () => NO_IMPORT);
}

/**
 * Shows an import that an earlier visit didn't finish. While another tab runs it, waits until that tab finishes it, pauses
 * it, or is closed.
 * @returns a function that stops waiting
 */
export function watchInterruptedImport(account: string): () => void {
  const over = new AbortController();
  const show = () => {
    const name = interruptedImport(account);
    if (name !== null) dispatchImport({ type: 'interrupted', name });
  };
  if (interruptedImport(account) === null) return () => {};
  if (!navigator.locks) show();
  // Rejects only if it's aborted.
  else navigator.locks.request(importLock(account), { signal: over.signal }, show).catch(() => {});
  return () => over.abort();
}
