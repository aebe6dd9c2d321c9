import { abortRemoteUploadByClientId } from '@/components/capture/uploads/transfer/open-upload';
import { toast } from '@/components/ui/toast';
import type { Recording } from './recorder-state';
import { deleteLocalCopy, listDiscarded, listRecordingSizes, setDiscarded } from './recording-store';

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

/** Deletes all of an owner's recordings that aren't uploaded, here and from the account. */
export async function deleteRecordings(owner: string): Promise<void> {
  for (const { id, file } of await listRecordingSizes(owner)) await deleteEverywhere(id, file);
  await deleteDiscarded(owner);
}

/**
 * Deletes recordings that were discarded.
 * @param before only those discarded before this time, in milliseconds since 1970; all by default
 */
export async function deleteDiscarded(owner: string, before = Number.POSITIVE_INFINITY): Promise<void> {
  const discarded = await listDiscarded(owner, before).catch(() => []);
  for (const { id, file } of discarded) await deleteEverywhere(id, file);
}

/** Deletes what earlier pages discarded but were closed too early to delete. */
export const deleteOldDiscarded = (owner: string) => deleteDiscarded(owner, Date.now() - UNDO_TIME);
