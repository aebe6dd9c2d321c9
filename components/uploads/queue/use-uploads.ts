import { useSyncExternalStore } from 'react';
import { isQueueVisible, type QueuedUpload, uploadQueueStore } from './upload-queue-store';

/** The videos on their way from this page. */
export function useUploads(): readonly QueuedUpload[] {
  return useSyncExternalStore(uploadQueueStore.subscribe, uploadQueueStore.get, uploadQueueStore.get);
}

/** Whether the page shows them in full. */
export function useQueueVisible(): boolean {
  return useSyncExternalStore(uploadQueueStore.subscribe, isQueueVisible, () => false);
}
