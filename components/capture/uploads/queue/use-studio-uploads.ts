import { useEffect, useEffectEvent, useRef } from 'react';
import { loadQueue } from './load-queue';
import {
  clearFinishedUploads,
  isAwaitedUpload,
  type QueuedUpload,
  setQueueVisible,
  useUploads,
} from './upload-queue-store';

/**
 * Returns the uploads for the studio, and resumes those of an earlier visit.
 * @param onDone called once all uploads are done that the person has waited for
 */
export function useStudioUploads(owner: string, onDone: () => void): readonly QueuedUpload[] {
  const uploads = useUploads();
  const startedIds = useRef(new Set<string>());
  const onEnded = useEffectEvent((ended: readonly QueuedUpload[]) => {
    if (ended.every(({ phase }) => phase === 'done')) onDone();
  });

  useEffect(() => {
    clearFinishedUploads();
    setQueueVisible(true);
    void loadQueue().then((queue) => queue.resumeUploads(owner));
    return () => setQueueVisible(false);
  }, [owner]);

  useEffect(() => {
    const active = uploads.filter(isAwaitedUpload);
    for (const { id } of active) startedIds.current.add(id);
    if (active.length > 0) return;
    const ended = uploads.filter(({ id }) => startedIds.current.has(id));
    startedIds.current.clear();
    if (ended.length > 0) onEnded(ended);
  }, [uploads]);

  return uploads;
}
