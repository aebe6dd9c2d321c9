import { useSyncExternalStore } from 'react';

/** Where a page finds, without opening the database, whose uploads were interrupted. */
export const INTERRUPTED_UPLOADS_KEY = 'daylight-uploads-of';

/** A video on its way, or waiting for its turn. */
export interface QueuedUpload {
  id: string;
  title: string;
  name: string;
  /** `lost` is one that a reload has interrupted and whose file has to be chosen again. */
  phase: 'waiting' | 'sending' | 'failed' | 'lost' | 'done';
  /** It waits for the connection. */
  offline: boolean;
  sent: number;
  total: number;
  /** Seconds; null while nobody can say. */
  secondsLeft: number | null;
  /** Why it failed, in a sentence. */
  problem: string | null;
}

let currentUploads: readonly QueuedUpload[] = [];
const listeners = new Set<() => void>();

/** For useSyncExternalStore: the uploads of this page's life, in order. */
export const uploadQueueStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): readonly QueuedUpload[] => currentUploads,
};

/** Whether a page shows the queue in full; elsewhere a small card does, and a notice tells of what is done. */
let queueVisible = false;

export function setQueueVisible(full: boolean): void {
  queueVisible = full;
  setUploads(currentUploads);
}

export const isQueueVisible = (): boolean => queueVisible;

export const isActiveUpload = ({ phase }: QueuedUpload): boolean =>
  phase === 'waiting' || phase === 'sending';

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** Lets the browser go without asking, to a page from which the uploads go on. */
export function disableLeaveWarning(): void {
  window.removeEventListener('beforeunload', warn);
}

/** Shows these uploads; while one is under way the browser asks before the page is closed or reloaded. */
export function setUploads(next: readonly QueuedUpload[]): void {
  currentUploads = next;
  if (currentUploads.some(isActiveUpload)) window.addEventListener('beforeunload', warn);
  else disableLeaveWarning();
  for (const listener of listeners) listener();
}

/** Changes what is shown of one upload. */
export function patchUpload(id: string, values: Partial<QueuedUpload>): void {
  setUploads(currentUploads.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)));
}

/** The videos on their way from this page. */
export function useUploads(): readonly QueuedUpload[] {
  return useSyncExternalStore(uploadQueueStore.subscribe, uploadQueueStore.get, uploadQueueStore.get);
}

/** Whether the page shows them in full. */
export function useQueueVisible(): boolean {
  return useSyncExternalStore(uploadQueueStore.subscribe, isQueueVisible, () => false);
}
