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

let shown: readonly QueuedUpload[] = [];
const listeners = new Set<() => void>();

/** For useSyncExternalStore: the uploads of this page's life, in order. */
export const uploadBoard = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): readonly QueuedUpload[] => shown,
};

/** Whether a page shows the queue in full; elsewhere a small card does, and a notice tells of what is done. */
let inFull = false;

export function showInFull(full: boolean): void {
  inFull = full;
  show(shown);
}

export const isInFull = (): boolean => inFull;

export const isUnderWay = ({ phase }: QueuedUpload): boolean => phase === 'waiting' || phase === 'sending';

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** Lets the browser go without asking, to a page from which the uploads go on. */
export function letGo(): void {
  window.removeEventListener('beforeunload', warn);
}

/** Shows these uploads; while one is under way the browser asks before the page is closed or reloaded. */
export function show(next: readonly QueuedUpload[]): void {
  shown = next;
  if (shown.some(isUnderWay)) window.addEventListener('beforeunload', warn);
  else letGo();
  for (const listener of listeners) listener();
}

/** Changes what is shown of one upload. */
export function change(id: string, values: Partial<QueuedUpload>): void {
  show(shown.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)));
}
