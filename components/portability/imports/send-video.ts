import { abortRemoteUpload } from '@/components/capture/uploads/transfer/open-upload';
import type { PartSource } from '@/components/capture/uploads/transfer/send-parts';
import { sendFile, type UploadEvents } from '@/components/capture/uploads/transfer/upload-file';
import { isFinal, isOvertaken } from './import-error';

/**
 * Sends the video of an entry that was opened, after what belongs before it.
 * @param before sends that
 * @throws like an item's `send`
 */
export async function sendVideo(
  entryId: string,
  source: PartSource,
  events: UploadEvents,
  signal: AbortSignal,
  before: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    await before();
    const completionError = await sendFile(entryId, source, [], events, signal);
    if (completionError) throw completionError;
  } catch (error) {
    // What has arrived is of no use, and would take up space for a day.
    if (isFinal(error)) await abortRemoteUpload(entryId);
    throw error;
  }
}

/** Sends an item once more if another tab, or another browser, has completed or discarded what this one works on. */
export async function sendUnlessOvertaken(send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    await send();
  }
}
