import { useSyncExternalStore } from 'react';
import { createPageStore } from '@/components/device/page-store';
import type { UploadProblem } from '@/components/device/transfer/upload-problem';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';

/** Stores whose uploads were interrupted, so that pages can tell without opening the database. */
export const INTERRUPTED_UPLOADS_KEY = 'daylight-uploads-of';

/** A video in the upload queue. */
export interface QueuedUpload {
  id: string;
  /** The account. */
  owner: string;
  title: string;
  /** Null if what was stored of it can't be read. */
  date: CalendarDate | null;
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

/** This page's uploads, in order. */
export const uploadQueueStore = createPageStore<readonly QueuedUpload[]>([]);

/** Whether this page shows the whole queue. Others show a pill, and a toast for each finished upload. */
export const queueVisibleStore = createPageStore(false);

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

/** Returns one of this page's uploads. */
export const findUpload = (id: string): QueuedUpload | undefined =>
  uploadQueueStore.get().find((upload) => upload.id === id);

/** Replaces the uploads. While somebody waits for one, the browser asks before the page is closed or reloaded. */
export function setUploads(next: readonly QueuedUpload[]): void {
  if (next.some(isAwaitedUpload)) window.addEventListener('beforeunload', warn);
  else disableLeaveWarning();
  uploadQueueStore.set(next);
}

/** Removes finished uploads from the list. */
export const clearFinishedUploads = (): void =>
  setUploads(uploadQueueStore.get().filter(({ phase }) => phase !== 'done'));

/** Updates one upload. */
export const patchUpload = (id: string, values: Partial<QueuedUpload>): void =>
  setUploads(uploadQueueStore.get().map((upload) => (upload.id === id ? { ...upload, ...values } : upload)));

/** Returns this page's uploads. */
export const useUploads = (): readonly QueuedUpload[] =>
  useSyncExternalStore(uploadQueueStore.subscribe, uploadQueueStore.get, uploadQueueStore.get);

/** Returns whether this page shows the whole queue. */
export const useQueueVisible = (): boolean =>
  useSyncExternalStore(queueVisibleStore.subscribe, queueVisibleStore.get, () => false);
