import { abortRemoteUploadByClientId } from '@/components/capture/uploads/transfer/open-upload';
import { toast } from '@/components/ui/toast';
import type { Recording } from './recorder-state';
import { deleteLocalCopy, listRecordings, recordingFile, setDiscarded } from './recording-store';

/** A little longer than the notice with its Undo button shows, in milliseconds. */
const UNDO_TIME = 40_000;

async function deleteEverywhere(id: string, file: { name: string; type: string }): Promise<void> {
  await deleteLocalCopy(id).catch(() => {});
  // It may be saved to the account in part.
  await abortRemoteUploadByClientId(id, file);
}

/**
 * Discards a recording, and offers to undo that for half a minute. Only then is it deleted, here and from the account.
 * @param message what happened
 * @param onUndo called when it's on offer again
 */
export async function discardRecording(
  { id, file }: Recording,
  message: string,
  onUndo?: () => void,
): Promise<void> {
  if (!id) return;
  await setDiscarded(id, Date.now());
  const deletion = setTimeout(() => void deleteEverywhere(id, file), UNDO_TIME);
  toast.success(message, {
    label: 'Undo',
    onPress() {
      clearTimeout(deletion);
      void setDiscarded(id, undefined).then(onUndo);
    },
  });
}

/**
 * Deletes an owner's recordings, here and from the account.
 * @param discardedBefore only those discarded before this time, in milliseconds since 1970; all by default
 */
export async function deleteRecordings(owner: string, discardedBefore?: number): Promise<void> {
  const all = await listRecordings(owner).catch(() => []);
  for (const { id, recordedAs, discardedAt = Number.POSITIVE_INFINITY } of all)
    if (discardedBefore === undefined || discardedAt < discardedBefore)
      await deleteEverywhere(id, recordingFile([], recordedAs));
}

/** Deletes what earlier pages discarded but were closed too early to delete. */
export const deleteOldDiscarded = (owner: string) => deleteRecordings(owner, Date.now() - UNDO_TIME);
