import { useSyncExternalStore } from 'react';
import type { UploadProblem } from '@/components/capture/uploads/transfer/upload-problem';
import { getAccountValue } from '@/components/ui/browser-storage';
import type { ClipReview } from './clips/clip-review';
import type { ImportPlan } from './plan-import';

/** An entry that couldn't be imported. */
export interface FailedEntry {
  id: string;
  title: string;
  /** `YYYY-MM-DD` */
  date: string;
  reason: string;
}

/** This page's import. */
export interface ImportState {
  /**
   * `interrupted`: an import of an earlier visit can go on with its files. `reading`: looking into the files. `review`: clips
   * wait for the user to look at them. `ready`: the plan can be started. `paused`: by the user, or because of
   * `problem`.
   */
  phase: 'idle' | 'interrupted' | 'reading' | 'review' | 'ready' | 'running' | 'paused' | 'done';
  /** The name of the file or the folder. */
  name: string;
  /** How many files have been looked into, and of how many; null unless there are many. */
  reading: { step: 'files' | 'duplicates'; done: number; total: number } | null;
  /** Why the files can't be imported, or why the import has stopped. */
  problem: string | null;
  /** The clips that were chosen; null for an archive. */
  review: ClipReview | null;
  plan: ImportPlan | null;
  /** How many tags the archive has. */
  tags: number;
  /** The server's id of the import, once it has started. */
  importId: string | null;
  /** Why tags, learned words, or hidden memories couldn't be imported; null if they could. */
  journalProblem: string | null;
  /** Entries finished, whether imported or failed, of those wanted. */
  finished: number;
  /** Bytes of the videos sent so far, of `total`. */
  sent: number;
  total: number;
  secondsLeft: number | null;
  /** What it's waiting for. */
  waiting: UploadProblem | null;
  failed: readonly FailedEntry[];
}

export const NO_IMPORT: ImportState = {
  phase: 'idle',
  name: '',
  reading: null,
  problem: null,
  review: null,
  plan: null,
  tags: 0,
  importId: null,
  journalProblem: null,
  finished: 0,
  sent: 0,
  total: 0,
  secondsLeft: null,
  waiting: null,
  failed: [],
};

/** The account's value with the name of the file whose import isn't finished. */
export const IMPORT_KEY = 'import';

/** Returns the name of the file whose import an earlier visit didn't finish; null if there's none. */
export const interruptedImport = (account: string): string | null => getAccountValue(account, IMPORT_KEY);

/** Returns the name of the Web Lock that the tab with an account's running import holds. */
export const importLock = (account: string): string => `daylight-import-${account}`;

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

/** Updates the import. While it runs, the browser asks before the page is closed or reloaded. */
export function patchImport(values: Partial<ImportState>): void {
  state = { ...state, ...values };
  if (state.phase === 'running') window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
  for (const listener of listeners) listener();
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
    if (name !== null && state.phase === 'idle') patchImport({ phase: 'interrupted', name });
  };
  if (interruptedImport(account) === null) return () => {};
  if (!navigator.locks) show();
  // Rejects only if it's aborted.
  else navigator.locks.request(importLock(account), { signal: over.signal }, show).catch(() => {});
  return () => over.abort();
}
