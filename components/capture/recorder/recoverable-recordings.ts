import { type Dispatch, useEffect } from 'react';
import { listAllUploads } from '@/components/capture/uploads/queue/upload-store';
import { readWords } from './captions/words-store';
import { deleteOldDiscarded } from './discard-recording';
import { setHasRecordings } from './has-recordings';
import type { RecoveredRecording, StudioEvent } from './recorder-state';
import {
  adoptRecording,
  changes,
  deleteLocalCopy,
  lockName,
  openDatabase,
  recordingFile,
  sliceRange,
} from './recording-store';

/**
 * Returns the owner's recordings that no page is using, newest first, and the locks of the others. Not those that are
 * discarded or about to be uploaded.
 */
async function listLocalCopies(owner: string): Promise<{ abandoned: RecoveredRecording[]; held: string[] }> {
  const db = await openDatabase();
  const all = await db.getAll('recordings');
  setHasRecordings(all.length > 0);
  const queued = new Set((await listAllUploads()).map(({ id }) => id));
  const mine = all.filter((one) => one.owner === owner && !one.discardedAt && !queued.has(one.id));
  // Queried after the copies, since every copy's lock is taken before it's created.
  const locks = new Set((await navigator.locks?.query())?.held?.map((lock) => lock.name));
  const abandoned: RecoveredRecording[] = [];
  const held: string[] = [];
  for (const stored of mine.sort((a, b) => b.startedAt - a.startedAt)) {
    const { id, recordedAs, startedAt, length = null, question, marks = [] } = stored;
    if (locks.has(lockName(id))) {
      held.push(lockName(id));
      continue;
    }
    const slices = await db.getAll('slices', sliceRange(id));
    if (slices.length === 0) {
      await deleteLocalCopy(id);
      continue;
    }
    const words = await readWords(id);
    const file = recordingFile(slices, recordedAs);
    abandoned.push({ id, file, startedAt, length, question, marks, words });
  }
  return { abandoned, held };
}

/**
 * Reports the owner's recordings that no page is using, newest first: now, and whenever a page releases one or this page
 * becomes visible again. Deletes empty copies.
 * @returns a function that stops it
 */
export function watchRecoverableRecordings(
  owner: string,
  onRecordings: (recordings: readonly RecoveredRecording[]) => void,
): () => void {
  const over = new AbortController();
  const waitingFor = new Set<string>();
  async function check() {
    const { abandoned, held } = await listLocalCopies(owner);
    if (over.signal.aborted) return;
    onRecordings(abandoned);
    for (const name of held) {
      if (waitingFor.has(name)) continue;
      waitingFor.add(name);
      // Granted when its page releases it, closes or crashes.
      navigator.locks
        .request(name, { signal: over.signal }, () => waitingFor.delete(name))
        .then(recheck, () => {});
    }
  }
  // Without a database, there's nothing to recover.
  const recheck = () => void check().catch(() => {});
  const checkIfVisible = () => document.visibilityState === 'visible' && recheck();
  document.addEventListener('visibilitychange', checkIfVisible, { signal: over.signal });
  changes.addEventListener('change', recheck, { signal: over.signal });
  recheck();
  return () => over.abort();
}

/**
 * Finds the recordings that are saved on this device and not uploaded, and deletes those that were discarded.
 * @param adoptedId the recording made before signing up, which is shown as if it was made just now
 * @param recovered those found so far
 */
export function useRecoverableRecordings(
  owner: string,
  adoptedId: string | null,
  recovered: readonly RecoveredRecording[],
  dispatch: Dispatch<StudioEvent>,
): void {
  const adopted = recovered.find(({ id }) => id !== null && id === adoptedId);
  useEffect(() => {
    if (adopted) dispatch({ type: 'restored', recording: adopted });
  }, [adopted, dispatch]);
  useEffect(() => {
    void deleteOldDiscarded(owner);
    if (adoptedId) adoptRecording(adoptedId, owner).catch(() => {});
    return watchRecoverableRecordings(owner, (recordings) => dispatch({ type: 'found', recordings }));
  }, [owner, adoptedId, dispatch]);
}
