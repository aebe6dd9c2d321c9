import { useSyncExternalStore } from 'react';
import type { UploadProblem } from '@/components/device/transfer/upload-problem';

/** Stores whose uploads were interrupted, so that pages can tell without opening the database. */
export const INTERRUPTED_UPLOADS_KEY = 'daylight-uploads-of';

/** A video in the upload queue. */
export interface QueuedUpload {
  id: string;
  title: string;
  name: string;
  /** `file-needed` means that its file must be chosen again, because a reload interrupted it or the file changed. */
  phase: 'waiting' | 'sending' | 'failed' | 'file-needed' | 'done';
  sent: number;
  total: number;
  /** The estimated time left in seconds; null while unknown. */
  secondsLeft: number | null;
  /** Why it failed, or what it's waiting for. */
  problem: UploadProblem | null;
  /** Whether the user goes on meanwhile. It's stored, so the page may be closed. */
  inBackground: boolean;
}

let currentUploads: readonly QueuedUpload[] = [];
const listeners = new Set<() => void>();

/** This page's uploads in order, for useSyncExternalStore. */
export const uploadQueueStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): readonly QueuedUpload[] => currentUploads,
};

/** Whether this page shows the whole queue. Others show a pill, and a toast for each finished upload. */
let queueVisible = false;

export function setQueueVisible(full: boolean): void {
  queueVisible = full;
  setUploads(currentUploads);
}

export const isQueueVisible = (): boolean => queueVisible;

export const isActiveUpload = ({ phase }: QueuedUpload): boolean =>
  phase === 'waiting' || phase === 'sending';

/** Returns whether the user is waiting for an upload. */
export const isAwaitedUpload = (upload: QueuedUpload): boolean =>
  isActiveUpload(upload) && !upload.inBackground;

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** Lets the browser leave without asking, for a page that resumes the uploads. */
export function disableLeaveWarning(): void {
  window.removeEventListener('beforeunload', warn);
}

/** Replaces the uploads. While somebody waits for one, the browser asks before the page is closed or reloaded. */
export function setUploads(next: readonly QueuedUpload[]): void {
  currentUploads = next;
  if (currentUploads.some(isAwaitedUpload)) window.addEventListener('beforeunload', warn);
  else disableLeaveWarning();
  for (const listener of listeners) listener();
}

/** Removes finished uploads from the list. */
export function clearFinishedUploads(): void {
  setUploads(currentUploads.filter(({ phase }) => phase !== 'done'));
}

/** Updates one upload. */
export function patchUpload(id: string, values: Partial<QueuedUpload>): void {
  setUploads(currentUploads.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)));
}

/** Returns this page's uploads. */
export function useUploads(): readonly QueuedUpload[] {
  return useSyncExternalStore(uploadQueueStore.subscribe, uploadQueueStore.get, uploadQueueStore.get);
}

/** Returns whether this page shows the whole queue. */
export function useQueueVisible(): boolean {
  return useSyncExternalStore(uploadQueueStore.subscribe, isQueueVisible, () => false);
}
