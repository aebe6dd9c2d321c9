import { listAllUploads } from '@/components/capture/uploads/queue/upload-store';
import { setHasRecordings } from './has-recordings';
import type { RecoveredRecording } from './recorder-state';
import {
  changes,
  deleteLocalCopy,
  lockName,
  openDatabase,
  recordingFile,
  sliceRange,
} from './recording-store';
import { readWords } from './words/words-store';

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
  for (const { id, recordedAs, startedAt, length = null } of mine.sort((a, b) => b.startedAt - a.startedAt)) {
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
    abandoned.push({ id, file: recordingFile(slices, recordedAs), startedAt, length, words });
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
        .then(check)
        .catch(ignore);
    }
  }
  // Without a database, there's nothing to recover.
  const ignore = () => {};
  const checkIfVisible = () => document.visibilityState === 'visible' && void check().catch(ignore);
  document.addEventListener('visibilitychange', checkIfVisible, { signal: over.signal });
  changes.addEventListener('change', () => void check().catch(ignore), { signal: over.signal });
  check().catch(ignore);
  return () => over.abort();
}
