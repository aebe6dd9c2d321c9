import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { getAccountValue } from '@/components/ui/browser-storage';
import { type ImportEvent, type ImportState, importReducer, NO_IMPORT } from './import-reducer';

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

/** Calls back after the import's phase has changed, with the phase before. */
export function usePhaseChange(
  phase: ImportState['phase'],
  onChange: (before: ImportState['phase']) => void,
): void {
  const last = useRef(phase);
  const change = useEffectEvent(onChange);
  useEffect(() => {
    const before = last.current;
    last.current = phase;
    if (before !== phase) change(before);
  }, [phase]);
}

/** The account's value with the name of the file whose import isn't finished. */
export const IMPORT_KEY = 'import';

/** Returns the name of the file whose import an earlier visit didn't finish; null if there's none. */
export const interruptedImport = (account: string): string | null => getAccountValue(account, IMPORT_KEY);

/** Returns the name of the Web Lock that the tab with an account's running import holds. */
export const importLock = (account: string): string => `daylight-import-${account}`;

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
