import { useEffect, useRef } from 'react';
import { isUnderWay, type QueuedUpload, showInFull } from './board';
import { clearDone, resumeUploads, takeBack } from './queue';
import { useUploads } from './use-uploads';

/**
 * The uploads as the studio shows them; what an earlier visit left goes on.
 * @param onDone called once all that was under way is uploaded
 * @param isInForm whether an upload can be tried again from the form
 */
export function useQueueInStudio(
  owner: string,
  onDone: () => void,
  isInForm: (id: string) => boolean,
): readonly QueuedUpload[] {
  const uploads = useUploads();
  const worked = useRef(new Set<string>());
  const told = useRef({ onDone, isInForm });
  useEffect(() => {
    told.current = { onDone, isInForm };
  });

  useEffect(() => {
    clearDone();
    showInFull(true);
    void resumeUploads(owner);
    return () => showInFull(false);
  }, [owner]);

  useEffect(() => {
    const underWay = uploads.filter(isUnderWay);
    for (const { id } of underWay) worked.current.add(id);
    if (underWay.length > 0) return;
    const ended = uploads.filter(({ id }) => worked.current.has(id));
    worked.current.clear();
    if (ended.length > 0 && ended.every(({ phase }) => phase === 'done')) return told.current.onDone();
    for (const { id } of ended) if (told.current.isInForm(id)) takeBack(id);
  }, [uploads]);

  return uploads;
}
