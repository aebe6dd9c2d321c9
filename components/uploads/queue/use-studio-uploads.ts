import { useEffect, useRef } from 'react';
import { clearFinishedUploads, removeFromQueue, resumeUploads } from './queue';
import { isActiveUpload, type QueuedUpload, setQueueVisible } from './upload-queue-store';
import { useUploads } from './use-uploads';

/**
 * The uploads as the studio shows them; what an earlier visit left goes on.
 * @param onDone called once all that was under way is uploaded
 * @param isInForm whether an upload can be tried again from the form
 */
export function useStudioUploads(
  owner: string,
  onDone: () => void,
  isInForm: (id: string) => boolean,
): readonly QueuedUpload[] {
  const uploads = useUploads();
  const startedIds = useRef(new Set<string>());
  const latestCallbacks = useRef({ onDone, isInForm });
  useEffect(() => {
    latestCallbacks.current = { onDone, isInForm };
  });

  useEffect(() => {
    clearFinishedUploads();
    setQueueVisible(true);
    void resumeUploads(owner);
    return () => setQueueVisible(false);
  }, [owner]);

  useEffect(() => {
    const underWay = uploads.filter(isActiveUpload);
    for (const { id } of underWay) startedIds.current.add(id);
    if (underWay.length > 0) return;
    const ended = uploads.filter(({ id }) => startedIds.current.has(id));
    startedIds.current.clear();
    if (ended.length > 0 && ended.every(({ phase }) => phase === 'done'))
      return latestCallbacks.current.onDone();
    for (const { id } of ended) if (latestCallbacks.current.isInForm(id)) removeFromQueue(id);
  }, [uploads]);

  return uploads;
}
