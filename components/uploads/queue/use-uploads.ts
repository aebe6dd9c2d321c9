import { useSyncExternalStore } from 'react';
import { isInFull, type QueuedUpload, uploadBoard } from './board';

/** The videos on their way from this page. */
export function useUploads(): readonly QueuedUpload[] {
  return useSyncExternalStore(uploadBoard.subscribe, uploadBoard.get, uploadBoard.get);
}

/** Whether the page shows them in full. */
export function useInFull(): boolean {
  return useSyncExternalStore(uploadBoard.subscribe, isInFull, () => false);
}
